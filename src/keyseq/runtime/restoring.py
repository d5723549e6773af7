"""From an exported folder back to a network that can be trained further."""

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

OWN = "network:"  # before the name of a parameter that is stored for training alone


def restored(folder: Path, root: Path | None = None) -> Stored:
    """The network that was exported, as precise as it was stored."""
    exported = ExportedNetwork(folder, root=root)
    network = Seq2Seq(exported.settings.model, exported.words)
    with opened(folder / WEIGHTS) as file:
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # not a dict
    own = {name.removeprefix(OWN): value for name, value in weights.items() if name.startswith(OWN)}
    own = renamed_weights(own)
    own["embedding.weight"] = _embedding(weights)
    own["pointer.vocabulary.weight"], own["pointer.vocabulary.bias"] = _output(weights, exported)
    state = {name: torch.from_numpy(np.ascontiguousarray(value, dtype=np.float32)) for name, value in own.items()}
    try:
        network.load_state_dict(state)
    except RuntimeError:
        raise KeyseqError(
            f"{folder}: was not exported for further training, or by another version of keyseq; export it again"
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
    """Weights (V', O) and biases (V',): the blocks side by side, without what fills them up."""
    blocks = []
    for number in range(exported.layout.count):
        name = f"{STEP}:{OUTPUT}{number}"
        block = weights.get(name)
        if block is None:
            block = np.vstack([weights[f"{name}.int8"] * weights[f"{name}.scales"], weights[f"{name}.bias"]])
        blocks.append(block[:, : exported.layout.width])
    matrix = np.hstack(blocks)[:, : exported.layout.generable]
    return matrix[:-1].T, matrix[-1]
