"""Locate corpora by path or dataset name."""

import os
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from keyseq.data.catalogue import DATASETS as DATASETS
from keyseq.data.formats import FORMATS
from keyseq.data.formats.source import STDIN
from keyseq.errors import KeyseqError, nearest
from keyseq.files import COMPRESSIONS

VARIABLE = "KEYSEQ_DATA"
SPLITS = ("train", "valid", "test")


def find(name_or_path: str, split: str = "test", data: Path | None = None) -> Path:
    """Locate a corpus: an existing path is used as it is, a name is looked up in the data directory.

    There it is `SPLIT/NAME.*`, `NAME/SPLIT.*` or `NAME.*`, in any format that keyseq reads, compressed or not.
    """
    if _is_path(name_or_path):
        return Path(name_or_path)
    name, folder = _names().get(name_or_path.lower(), name_or_path), data_folder(data)
    found = None if folder is None else _of_split(name, split, folder) or _file_at(folder / name)
    if found is None:
        raise KeyseqError(_why_missing(name, split, folder))
    return found


def locate(names: Iterable[str], split: str = "test", data: Path | None = None) -> dict[str, Path]:
    """Find several corpora, by unique labels; a folder stands for all corpora in it."""
    found: list[tuple[str, Path]] = []
    for name in names:
        path = find(name, split, data)
        if not _is_path(name):
            found.append((name, path))
        elif path.is_dir():
            # a folder without corpus files is left to the formats, some of which are folders themselves
            found += (not _is_corpus(path) and _files(path).items()) or [(path.resolve().name, path)]
        else:
            found.append((_stem(path), path))
    times = Counter(label for label, _ in found)
    return {label if times[label] == 1 else str(path): path for label, path in found}


def _is_corpus(folder: Path) -> bool:
    """Whether the tables in a folder are the subjects of texts beside them."""
    from keyseq.data.formats import annif

    return annif.is_corpus(file.name for file in folder.iterdir())


def data_folder(data: Path | None) -> Path | None:
    """The data directory: the given one, or that of the environment variable."""
    if data is None and os.environ.get(VARIABLE):
        data = Path(os.environ[VARIABLE])
    if data is not None and not data.is_dir():
        raise KeyseqError(f"{data}: no such data directory; set it with --data or {VARIABLE}")
    return data


def found_splits(name: str, data: Path | None) -> list[str]:
    """The splits of a dataset in the data directory; "whole" is a file without splits."""
    folder = data_folder(data)
    if folder is None:
        return []
    splits = [split for split in SPLITS if _of_split(name, split, folder)]
    return splits + ["whole"] * (_file_at(folder / name) is not None)


@cache
def _names() -> dict[str, str]:
    """The datasets by their names and aliases."""
    return {alias: name for name, dataset in DATASETS.working().items() for alias in (name, *dataset.aliases)}


@cache
def _endings() -> tuple[str, ...]:
    """The suffixes of corpus files; a README beside corpora is not one of them."""
    return tuple(end for known in FORMATS.working().values() if not known.one_document for end in known.suffixes)


def _is_path(name: str) -> bool:
    """Whether a name is that of a file, a folder, a part of one after a `#`, or standard input."""
    return name == STDIN or Path(name).exists() or Path(name.rpartition("#")[0] or name).exists()


def _of_split(name: str, split: str, folder: Path) -> Path | None:
    for place in (folder / split / name, folder / name / split):
        found = _file_at(place) or (place if place.is_dir() else None)
        if found is not None:
            return found
    return None


def _file_at(place: Path) -> Path | None:
    """The corpus file at this path plus a suffix."""
    return _files(place.parent).get(place.name) if place.parent.is_dir() else None


def _files(folder: Path) -> dict[str, Path]:
    """The corpus files of a folder, recognised by suffix, by name without suffix."""
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith(".") and _stem(path) != path.name:
            found.setdefault(_stem(path), path)
    return found


def _stem(path: Path) -> str:
    """A corpus file's name without suffix and compression, or the full name if the suffix is unknown."""
    bare = path.name
    for compression in COMPRESSIONS:
        bare = bare.removesuffix(compression)
    ending = max((end for end in _endings() if bare.lower().endswith(end)), key=len, default="")
    return bare[: -len(ending)] if ending else path.name


def _why_missing(name: str, split: str, folder: Path | None) -> str:
    if name not in DATASETS:
        return f"{name}: neither a file nor a dataset{nearest(name.lower(), _names())}"
    if folder is None:
        return f"{name}: no data directory; set it with --data DIR or the environment variable {VARIABLE}"
    if split not in SPLITS:
        return f"{name}: no split '{split}' is found{nearest(split, SPLITS)}"
    places = ", ".join(str(folder / place) for place in (f"{split}/{name}.*", f"{name}/{split}.*", f"{name}.*"))
    return f"{name}: not found as {places}; to get it, {DATASETS[name].how_to_get} ({DATASETS[name].home})"
