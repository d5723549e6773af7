"""A network in a folder: weights, settings and vocabulary; no executable content."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from keyseq.config import Settings, load_settings
from keyseq.config.renamed import renamed_weights
from keyseq.data.network_inputs import NEIGHBOURS
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import KeyseqError
from keyseq.files import write_whole
from keyseq.network.seq2seq import Seq2Seq

WEIGHTS, SETTINGS, VOCABULARY = "model.safetensors", "settings.toml", "vocabulary.txt"

# Weights with one row per word of the vocabulary
BY_WORD = ("embedding.weight", "pointer.vocabulary.weight", "pointer.vocabulary.bias")
CHECKPOINTS = ("", "best", "last")  # subfolders that may hold a network


@dataclass(frozen=True, slots=True)
class Stored:
    """A network with its settings and vocabulary, and the index from which it retrieves phrases, if it reads any."""

    network: Seq2Seq
    settings: Settings
    vocabulary: Vocabulary
    neighbours: Path | None = None


def save_network(stored: Stored, folder: Path, with_index: bool = False) -> None:
    """Write a network into an existing folder, without the index that a run keeps for all its checkpoints."""
    if with_index and stored.neighbours is not None:
        shutil.copyfile(stored.neighbours, folder / NEIGHBOURS)
    write_tensors(stored.network.state_dict(), folder / WEIGHTS)
    stored.vocabulary.save(folder / VOCABULARY)
    with write_whole(folder / SETTINGS) as file:
        file.write(stored.settings.to_toml())


def find_network(run: Path) -> Path:
    """The folder of a network: the given one, or the best or last checkpoint of a run in it."""
    found = next((run / name for name in CHECKPOINTS if (run / name / WEIGHTS).is_file()), None)
    if found is None:
        _check_folder(run)
        raise KeyseqError(f"{run}: not a trained network: there is no {WEIGHTS} in it, nor in {run / 'best'}")
    return found


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise KeyseqError(f"{folder}: not a trained network, since there is no such folder")


def load_network(folder: Path) -> Stored:
    """Read a network that `save_network` has written."""
    if not (folder / WEIGHTS).is_file():
        _check_folder(folder)
        raise KeyseqError(f"{folder}: not a trained network: there is no {WEIGHTS} in it")
    settings = load_settings(folder / SETTINGS)
    vocabulary = Vocabulary.load(folder / VOCABULARY)
    with torch.device("meta"):  # settings of others may ask for any amount of memory
        wanted = Seq2Seq(settings.model, len(vocabulary)).state_dict()
    tensors = renamed_weights(read_tensors(folder / WEIGHTS))
    _check(tensors, wanted, folder / WEIGHTS)
    network = Seq2Seq(settings.model, len(vocabulary))
    network.load_state_dict(tensors)
    return Stored(network, settings, vocabulary, _index(folder))


def _index(checkpoint: Path) -> Path | None:
    """The index of a checkpoint, which is stored once for all checkpoints of a run."""
    places = (checkpoint / NEIGHBOURS, checkpoint.parent / NEIGHBOURS)
    return next((place for place in places if place.is_file()), None)


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
        raise KeyseqError(f"{path}: truncated or not a safetensors file ({error}); use another checkpoint") from None


def load_weights(network: nn.Module, path: Path) -> None:
    """Load the weights of a file into a network of the same architecture."""
    tensors = renamed_weights(read_tensors(path))
    _check(tensors, network.state_dict(), path)
    network.load_state_dict(tensors)


def load_grown(network: Seq2Seq, folder: Path) -> None:
    """Load weights of a network with a smaller vocabulary or fewer pieces.

    The rows of new words keep their initial values. The weights that read a new piece start at zero.
    """
    path, initial = folder / WEIGHTS, network.state_dict()
    tensors = renamed_weights(read_tensors(path))
    known = load_settings(folder / SETTINGS).model.pieces
    new = [name for name in network.added if name not in known]
    for name in new:
        if network.added[name].new_weights == "refused":
            raise KeyseqError(f"{path}: was trained without model.{name}, which cannot be added to a trained network")
    _add_pieces(tensors, network, new)
    for name in BY_WORD:
        rows = tensors.get(name)
        wanted = initial.get(name)
        if rows is None or wanted is None:
            continue
        if rows.shape[1:] == wanted.shape[1:] and len(rows) < len(wanted):
            grown = wanted.clone()
            grown[: len(rows)] = rows
            tensors[name] = grown
    _check(tensors, initial, path)
    network.load_state_dict(tensors)


def _add_pieces(tensors: dict[str, Tensor], network: Seq2Seq, new: Sequence[str]) -> None:
    """Add the weights of new pieces, and zero columns to weights that read them, so that outputs do not change."""
    for piece in new:
        for name, tensor in network.added[piece].state_dict().items():
            begins = torch.zeros_like(tensor) if network.added[piece].new_weights == "zeros" else tensor
            tensors.setdefault(f"pieces.{piece}.{name}", begins)
    for name, blocks in network.decoder.columns().items():
        columns = tensors.get(f"decoder.{name}")
        kept = [size for piece, size in blocks if piece not in new]
        if columns is None or columns.shape[1] != sum(kept):
            continue  # sizes that do not match, which `_check` rejects
        parts = iter(torch.split(columns, kept, dim=1))
        zeros = (columns.new_zeros(len(columns), size) if piece in new else next(parts) for piece, size in blocks)
        tensors[f"decoder.{name}"] = torch.cat(list(zeros), dim=1)


def _check(tensors: Mapping[str, Tensor], wanted: Mapping[str, Tensor], path: Path) -> None:
    """Reject tensors whose names, shapes or types do not match the network."""
    for name in (*wanted, *tensors):
        here, there = (_describe(group.get(name)) for group in (tensors, wanted))
        if here != there:
            raise KeyseqError(
                f"{path}: belongs to a network with other settings: '{name}' is {here} there and {there} here"
            )


def _describe(tensor: Tensor | None) -> str:
    if tensor is None:
        return "missing"
    return f"{str(tensor.dtype).removeprefix('torch.')} of {'×'.join(map(str, tensor.shape)) or '1'}"
