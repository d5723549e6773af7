"""Trace the graphs of a network to ONNX."""

import io
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import torch
from onnx import ModelProto

from keyseq.data.network_inputs import NetworkInput, laid_out
from keyseq.data.vocabulary import BOS
from keyseq.decoding.stepper import Allowed
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.modules import EncoderModule, StepModule
from keyseq.runtime.onnx import ENCODER, NARROWED, STEP
from keyseq.runtime.state import narrowed, padded
from keyseq.runtime.torch import TorchGraphs

OPSET = 18

# The dynamic dimensions: documents, hypotheses, source words, continuations, allowed words
_DIMENSIONS = {
    **dict.fromkeys(("source", "states", "mask", "extended", "slots"), "DS"),
    **dict.fromkeys(("lengths", "foreign"), "D"),
    **dict.fromkeys(("words", "scores", "begins"), "DB"),
    **dict.fromkeys(("best", "beams", "ids"), "Dk"),
    **dict.fromkeys(("keys", "places"), "D-S"),
    "allowed": "DBA",
    "allowed_places": "D-BA",
    "open": "DBS",
}


def traced(network: Seq2Seq, sources: Sequence[NetworkInput]) -> dict[str, ModelProto]:
    """The graphs by file name, traced on two sources."""
    graphs = TorchGraphs(network)
    stepper = GraphStepper(graphs)
    state = stepper.encode(sources)
    state = state.select(np.arange(2), np.zeros((2, 3), dtype=np.int64))
    begun = np.full((2, 3), BOS)
    ends = {"words": begun, "scores": np.zeros((2, 3), dtype=np.float32), "k": np.array(4)}
    step = {**ends, **state.memory, **state.carried}
    allowed = Allowed(np.ones(graphs.words, dtype=bool), np.ones((2, 3), dtype=bool), np.full((2, 3, 2), 5))
    dimensions = _DIMENSIONS | {name: f"D{axes}" for name, axes in network.remembered.items()}
    dimensions |= {name: axes for one in stepper.fields for name, axes in one.arrays.items()}
    at_start = {name: f"D{axes}" for name, axes in network.carried.items()}
    at_step = {name: f"DB{axes}" for name, axes in network.carried.items()}
    at_step |= {f"next_{name}": axes.replace("T", "U") for name, axes in at_step.items()}  # T grows, U is one more
    encoded = padded(sources, graphs.words, graphs.layout) | laid_out(sources, stepper.fields)
    return {
        ENCODER: _trace(EncoderModule(network), encoded, dimensions | at_start),
        STEP: _trace(StepModule(network), step, dimensions | at_step),
        NARROWED: _trace(
            StepModule(network, narrowed=True), step | narrowed(allowed, state, graphs.layout), dimensions | at_step
        ),
    }


def _trace(module: EncoderModule | StepModule, given: Mapping[str, Any], dimensions: Mapping[str, str]) -> ModelProto:
    tensors = tuple(torch.as_tensor(given[name]).clone() for name in module.inputs)
    names = [*module.inputs, *module.outputs]
    file = io.BytesIO()
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about sizes that are constant on purpose, and about this exporter
        torch.onnx.export(
            module,
            tensors,
            file,  # type: ignore[arg-type]  # it takes files too
            dynamo=False,
            opset_version=OPSET,
            input_names=module.inputs,
            output_names=module.outputs,
            dynamic_axes={
                name: {place: letter for place, letter in enumerate(dimensions[name]) if letter != "-"}
                for name in names
                if name in dimensions
            },
        )
    return onnx.load_from_string(file.getvalue())
