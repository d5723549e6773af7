"""Export a trained network to ONNX, and check its parity with PyTorch."""

import copy
import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import safetensors.numpy
import torch
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, numpy_helper

from keyseq.data.network_inputs import NEIGHBOURS, RETRIEVED
from keyseq.decoding.policies import Policy
from keyseq.errors import KeyseqError
from keyseq.files import write_whole, write_whole_folder
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import BY_WORD, Stored
from keyseq.runtime.card import CARD, card
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.onnx import SETTINGS, VOCABULARY, WEIGHTS, ExportedNetwork
from keyseq.runtime.parity import Parity, compare, made_up_inputs
from keyseq.runtime.quantization import quantized, rounded
from keyseq.runtime.restoring import PARAMETER
from keyseq.runtime.torch import TorchGraphs
from keyseq.runtime.tracing import traced

Storage = Literal["float32", "float16", "int8"]
SAMPLE = 16  # sources of the check
LONGEST = 200  # words of the longest of them

# Tolerances of an export: the fraction of sources with the same sequences, and the difference of log-probabilities.
# Both engines get the stored weights, so only int8, which rounds activations, differs by more than summation order.
# On random sources, many words are almost equally probable, and rounding may decide which hypothesis a beam drops: a
# few different sequences are not an error.
LIMITS: dict[Storage, Parity] = {
    "float32": Parity(same=0.8, difference=1e-4),
    "float16": Parity(same=0.8, difference=1e-4),
    "int8": Parity(same=0.0, difference=0.25),
}


def export(stored: Stored, folder: Path, storage: Storage = "float32") -> Parity:
    """Export a network into a new folder; refuse if the exported one generates other sequences."""
    if storage not in LIMITS:
        raise KeyseqError(f"unknown storage '{storage}'; choose one of {', '.join(LIMITS)}")
    retrieves = RETRIEVED in stored.settings.model.reads
    if retrieves and stored.neighbours is None:
        raise KeyseqError(f"{NEIGHBOURS} is missing, which model.retrieved needs; export the folder of the run itself")
    network = copy.deepcopy(stored.network).cpu().float().eval()
    with write_whole_folder(folder) as partial:
        _write_graphs(Stored(network, stored.settings, stored.vocabulary), partial, storage)
        stored.vocabulary.save(partial / VOCABULARY)
        with write_whole(partial / SETTINGS) as file:
            file.write(stored.settings.to_toml())
        if retrieves and stored.neighbours:
            shutil.copyfile(stored.neighbours, partial / NEIGHBOURS)
        parity = _check(_as_stored(network, storage), partial, storage)
        with write_whole(partial / CARD) as file:
            file.write(card(stored.settings, len(stored.vocabulary), storage, parity))
    return parity


def restricted(stored: Stored, output_words: int) -> Stored:
    """The same network with a smaller output vocabulary; the other words can only be copied."""
    if stored.settings.model.pointer_only:
        raise KeyseqError("this network only copies words of the source; there are no output words to choose from")
    known = stored.network.pointer.vocabulary.out_features
    if not 5 < output_words <= known:
        raise KeyseqError(f"output words must be between 6 and {known:,}, the number that the network can generate")
    settings = replace(stored.settings, model=replace(stored.settings.model, output_vocabulary=output_words))
    network = Seq2Seq(settings.model, len(stored.vocabulary))
    weights = dict(stored.network.state_dict())
    for name in ("pointer.vocabulary.weight", "pointer.vocabulary.bias"):
        weights[name] = weights[name][:output_words]
    network.load_state_dict(weights)
    return Stored(network, settings, stored.vocabulary, stored.neighbours)


def _write_graphs(stored: Stored, folder: Path, storage: Storage) -> None:
    """Write the graphs of a network, and one file of their shared weights; its metadata map graphs to weights.

    Small parameters, which graphs store in transformed form, are stored unchanged too, for fine-tuning.
    """
    network = stored.network
    weights: dict[str, NDArray[Any]] = {}
    metadata = {"words": str(network.embedding.num_embeddings)}
    for file, graph in traced(network, made_up_inputs(stored.vocabulary, stored.settings, 6, 9)[-2:]).items():
        made = quantized(graph) if storage == "int8" else graph
        metadata[file] = json.dumps(_take_weights(made, file, weights))
        (folder / file).write_bytes(made.SerializeToString(deterministic=True))
    small = {name: value for name, value in network.state_dict().items() if name not in BY_WORD}
    weights |= {f"{PARAMETER}{name}": value.numpy() for name, value in small.items()}
    if storage != "float32":
        weights = {name: _halved(name, value) for name, value in weights.items()}
    (folder / WEIGHTS).write_bytes(_in_order(safetensors.numpy.save(weights, metadata=metadata)))


def _in_order(content: bytes) -> bytes:
    """The same arrays with their metadata sorted, which safetensors writes in another order each time."""
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    written = json.dumps(header, separators=(",", ":")).encode()
    written += b" " * (-len(written) % 8)
    return len(written).to_bytes(8, "little") + written + content[start:]


def _halved(name: str, value: NDArray[Any]) -> NDArray[Any]:
    """The array in float16, except the scales of int8 tables."""
    return value.astype(np.float16) if value.dtype == np.float32 and not name.endswith("scales") else value


def _take_weights(graph: ModelProto, file: str, weights: dict[str, NDArray[Any]]) -> list[str]:
    """Move the weights of a graph to the shared ones, without duplicates; return the names of those it uses."""
    known = {_content(value): name for name, value in weights.items()}
    renamed = {}
    for tensor in graph.graph.initializer:
        value = numpy_helper.to_array(tensor)
        if value.dtype != np.int64:  # int64 are shapes and indices
            name = known.setdefault(_content(value), f"{file}:{tensor.name}")
            weights[name], renamed[tensor.name], tensor.name = value, name, name
            tensor.ClearField("raw_data")
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value=WEIGHTS)
    for node in graph.graph.node:
        node.input[:] = [renamed.get(name, name) for name in node.input]
    return list(renamed.values())


def _content(value: NDArray[Any]) -> tuple[str, tuple[int, ...], bytes]:
    return value.dtype.str, value.shape, hashlib.sha256(value.tobytes()).digest()


def _as_stored(network: Seq2Seq, storage: Storage) -> Seq2Seq:
    """The network with its weights rounded as they are stored."""
    with torch.no_grad():
        for name, weight in network.named_parameters():
            if storage == "int8" and name in BY_WORD[:2]:
                steps, scales = rounded(weight.numpy(), axis=1)
                weight.copy_(torch.from_numpy(steps * scales[:, None]))
            elif storage != "float32":
                weight.copy_(weight.half().float())
    return network


def _check(network: Seq2Seq, folder: Path, storage: Storage) -> Parity:
    exported = ExportedNetwork(folder)
    sources = made_up_inputs(exported.vocabulary, exported.settings, LONGEST, SAMPLE)
    policy = Policy(beam=4, max_length=8, keep=4)
    found = compare(GraphStepper(TorchGraphs(network)), GraphStepper(exported), sources, policy)
    limit = LIMITS[storage]
    if found.same < limit.same or found.difference > limit.difference:
        raise KeyseqError(
            f"the exported network differs from the trained one: the same sequences for {found.same:.0%} of"
            f" {len(sources)} sources and log-probabilities up to {found.difference:.2g} apart, where {limit.same:.0%}"
            f" and {limit.difference:.2g} are the limits; nothing was written"
        )
    return found
