"""Convert an exported network back to PyTorch, for fine-tuning."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from keyseq.config.renamed import renamed_weights
from keyseq.errors import KeyseqError
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored
from keyseq.runtime.onnx import ENCODER, STEP, WEIGHTS, ExportedNetwork, opened
from keyseq.runtime.quantization import EMBEDDING, INT8_EMBEDDING, OUTPUT

PARAMETER = "network:"  # prefix of parameters that are stored for fine-tuning only


def restored(folder: Path, root: Path | None = None) -> Stored:
    """The exported network, with the precision of its stored weights."""
    exported = ExportedNetwork(folder, root=root)
    network = Seq2Seq(exported.settings.model, exported.words)
    with opened(folder / WEIGHTS) as file:
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # not a dict
    stored = {name.removeprefix(PARAMETER): value for name, value in weights.items() if name.startswith(PARAMETER)}
    stored = renamed_weights(stored)
    stored["embedding.weight"] = _embedding(weights)
    stored["pointer.vocabulary.weight"], stored["pointer.vocabulary.bias"] = _output(weights, exported)
    state = {name: torch.from_numpy(np.ascontiguousarray(value, dtype=np.float32)) for name, value in stored.items()}
    try:
        network.load_state_dict(state)
    except RuntimeError:
        raise KeyseqError(
            f"{folder}: cannot be fine-tuned: it was exported by another version of keyseq; export it again"
        ) from None
    return Stored(network, exported.settings, exported.vocabulary)


def _embedding(weights: dict[str, NDArray[Any]]) -> NDArray[Any]:
    plain = weights.get(f"{ENCODER}:{EMBEDDING}")
    if plain is not None:
        return plain
    steps, scales = (weights[f"{ENCODER}:{INT8_EMBEDDING}.{part}"] for part in ("int8", "scales"))
    table: NDArray[Any] = steps * scales
    return table


def _output(weights: dict[str, NDArray[Any]], exported: ExportedNetwork) -> tuple[NDArray[Any], NDArray[Any]]:
    """Weights (V', O) and biases (V',): the concatenated blocks without padding."""
    blocks = []
    for number in range(exported.layout.count):
        name = f"{STEP}:{OUTPUT}{number}"
        block = weights.get(name)
        if block is None:
            block = np.vstack([weights[f"{name}.int8"] * weights[f"{name}.scales"], weights[f"{name}.bias"]])
        blocks.append(block[:, : exported.layout.width])
    matrix = np.hstack(blocks)[:, : exported.layout.generable]
    return matrix[:-1].T, matrix[-1]
