"""The engine on PyTorch: for validation during training, and for the parity check of an export."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import torch

from keyseq.data.network_inputs import input_fields
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.modules import EncoderModule, StepModule


class _Graph:
    """A module as a graph over named arrays; the state carried between steps stays on the device."""

    def __init__(self, module: EncoderModule | StepModule) -> None:
        self.inputs, self.outputs = module.inputs, module.outputs
        self._module = module
        self._device = next(module.parameters()).device

    def __call__(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        with torch.inference_mode():
            tensors = [torch.as_tensor(given[name], device=self._device) for name in self.inputs]
            found = dict(zip(self.outputs, self._module(*tensors), strict=True))
        return {name: part.cpu() if name in ("best", "beams", "ids") else part for name, part in found.items()}


class TorchGraphs:
    """The graphs of a network, run on the device of its weights."""

    def __init__(self, network: Seq2Seq) -> None:
        network.eval()
        self.words = network.embedding.num_embeddings
        self.fields = input_fields(network.settings)
        self.encoder = _Graph(EncoderModule(network))
        step = StepModule(network)
        self.layout, self.step = step.output.layout, _Graph(step)
        self.inputs, self.outputs = step.inputs, step.outputs
        self._network = network

    @cached_property
    def narrowed(self) -> "_Graph":
        """The step of constrained decoding, built on first use."""
        return _Graph(StepModule(self._network, narrowed=True))

    def loop(self, chooses: bool) -> None:
        """None: searches of PyTorch run step by step."""


def torch_stepper(network: Seq2Seq) -> GraphStepper:
    """The stepper of a PyTorch network."""
    return GraphStepper(TorchGraphs(network))
