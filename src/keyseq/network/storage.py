"""A network in a folder: weights, settings and vocabulary, without anything that could run code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from keyseq.config import Settings, load_settings
from keyseq.config.renamed import renamed_weights
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import KeyseqError
from keyseq.files import write_whole
from keyseq.network.seq2seq import Seq2Seq

WEIGHTS, SETTINGS, VOCABULARY = "model.safetensors", "settings.toml", "vocabulary.txt"

# Tables with a row for each word, which grow with the vocabulary
BY_WORD = ("embedding.weight", "pointer.vocabulary.weight", "pointer.vocabulary.bias")
CHECKPOINTS = ("", "best", "last")  # of a run, or a network's own folder


@dataclass(frozen=True, slots=True)
class Stored:
    """What a folder holds."""

    network: Seq2Seq
    settings: Settings
    vocabulary: Vocabulary


def save_network(stored: Stored, folder: Path) -> None:
    """Write a network into a folder that is there."""
    write_tensors(stored.network.state_dict(), folder / WEIGHTS)
    stored.vocabulary.save(folder / VOCABULARY)
    with write_whole(folder / SETTINGS) as file:
        file.write(stored.settings.to_toml())


def find_network(run: Path) -> Path:
    """The folder of a network: this one, or that of the best or last checkpoint of a run in it."""
    found = next((run / name for name in CHECKPOINTS if (run / name / WEIGHTS).is_file()), None)
    if found is None:
        raise KeyseqError(f"{run}: holds no trained network: there is no {WEIGHTS} in it, nor in {run / 'best'}")
    return found


def load_network(folder: Path) -> Stored:
    """Read a network from a folder that `save_network` has filled."""
    if not (folder / WEIGHTS).is_file():
        raise KeyseqError(f"{folder}: holds no network: there is no {WEIGHTS} in it")
    settings = load_settings(folder / SETTINGS)
    vocabulary = Vocabulary.load(folder / VOCABULARY)
    network = Seq2Seq(settings.model, len(vocabulary))
    load_weights(network, folder / WEIGHTS)
    return Stored(network, settings, vocabulary)


def write_tensors(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Write tensors by name; a full disk raises an `OSError` as it does for any other file."""
    on_cpu = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    path.write_bytes(safetensors.torch.save(on_cpu))


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Read tensors by name."""
    try:
        return safetensors.torch.load_file(path)
    except FileNotFoundError:
        raise KeyseqError(f"{path}: no such file") from None
    except (SafetensorError, OSError) as error:
        raise KeyseqError(f"{path}: truncated or not a safetensors file ({error}); take another checkpoint") from None


def load_weights(network: nn.Module, path: Path) -> None:
    """Give a network the weights of a file, which must be those of a network of the same settings."""
    tensors = renamed_weights(read_tensors(path))
    _check(tensors, network.state_dict(), path)
    network.load_state_dict(tensors)


def load_grown(network: Seq2Seq, folder: Path) -> None:
    """Give a network the weights of one in a folder that has a smaller vocabulary, or fewer pieces.

    The rows of new words stay as they are. A new piece begins as it says itself, and nothing listens to it at first.
    """
    path, own = folder / WEIGHTS, network.state_dict()
    tensors = renamed_weights(read_tensors(path))
    known = load_settings(folder / SETTINGS).model.pieces
    _add_pieces(tensors, network, [name for name in network.added if name not in known])
    for name in BY_WORD:
        rows = tensors.get(name)
        if rows is not None and name in own and rows.shape[1:] == own[name].shape[1:] and len(rows) < len(own[name]):
            grown = own[name].clone()
            grown[: len(rows)] = rows
            tensors[name] = grown
    _check(tensors, own, path)
    network.load_state_dict(tensors)


def _add_pieces(tensors: dict[str, Tensor], network: Seq2Seq, new: Sequence[str]) -> None:
    """Add the weights of new pieces, and columns of zeros to those that read them, so that nothing changes yet."""
    for piece in new:
        for name, tensor in network.added[piece].state_dict().items():
            begins = torch.zeros_like(tensor) if network.added[piece].new_weights == "zeros" else tensor
            tensors.setdefault(f"pieces.{piece}.{name}", begins)
    for name, blocks in network.decoder.columns().items():
        columns = tensors.get(f"decoder.{name}")
        kept = [size for piece, size in blocks if piece not in new]
        if columns is None or columns.shape[1] != sum(kept):
            continue  # of other sizes, which is refused below
        parts = iter(torch.split(columns, kept, dim=1))
        zeros = (columns.new_zeros(len(columns), size) if piece in new else next(parts) for piece, size in blocks)
        tensors[f"decoder.{name}"] = torch.cat(list(zeros), dim=1)


def _check(tensors: Mapping[str, Tensor], wanted: Mapping[str, Tensor], path: Path) -> None:
    """Refuse tensors of other names, shapes or types than a network's."""
    for name in (*wanted, *tensors):
        here, there = (_describe(group.get(name)) for group in (tensors, wanted))
        if here != there:
            raise KeyseqError(f"{path}: of a network with other settings: '{name}' is {here} there and {there} here")


def _describe(tensor: Tensor | None) -> str:
    if tensor is None:
        return "missing"
    return f"{str(tensor.dtype).removeprefix('torch.')} of {'×'.join(map(str, tensor.shape)) or '1'}"
