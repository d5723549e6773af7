"""Locate exported networks by name, folder or hub id. Only a hub id may cause network access."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

from keyseq.errors import KeyseqError
from keyseq.files import write_whole_folder
from keyseq.imports import require

CARD = "README.md"
EXPORTED, CHECKPOINT, VALID = "network", "last", "valid.jsonl"  # in the folder of a fine-tuning run
PRETRAINED = Path(__file__).parents[1] / "pretrained"  # the systems of the package, a folder each
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_HUB_ID = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")


class Place(NamedTuple):
    """A folder, and the root outside of which its links must not point."""

    folder: Path
    root: Path


def system_folder(folder: Path) -> Path:
    """The folder of a system; in that of a fine-tuning run, the folder that its network was exported to."""
    exported = folder / EXPORTED
    return exported if (folder / CHECKPOINT).is_dir() and exported.is_dir() else folder


def is_place(name: str) -> bool:
    """Whether a name is a path or a hub id, not the name of a system."""
    return "/" in name or "\\" in name or Path(name).is_dir()


def locate(name: str) -> Place:
    """Find a network of the package or a folder; otherwise `owner/name` is downloaded from the hub, or taken from its
    cache."""
    if _NAME.fullmatch(name) and (PRETRAINED / name).is_dir():
        return Place(PRETRAINED / name, PRETRAINED / name)
    folder = system_folder(Path(name).expanduser())
    if folder.is_dir():
        return Place(folder, folder)
    if Path(name).is_file():
        raise KeyseqError(f"{name}: is a file; name the folder of a system")
    if not _HUB_ID.fullmatch(name):
        raise KeyseqError(f"{name}: neither a folder nor a hub id (owner/name)")
    return _fetched(name)


def _fetched(name: str) -> Place:
    from keyseq.runtime.onnx import FILES, FURTHER

    hub = require("huggingface_hub", "hub")
    try:
        folder = Path(hub.snapshot_download(name, allow_patterns=[*FILES, *FURTHER, CARD]))
    except (OSError, ValueError) as error:  # the hub's errors are of these kinds
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise KeyseqError(f"{name}: no such folder, and not available from the hub ({reason})") from None
    # the cache stores files separately and links to them, all below one folder per repository
    return Place(folder, folder.parent.parent)


def copy(folder: Path, to: Path) -> None:
    """Copy the files of an exported network into a new folder."""
    from keyseq.runtime.onnx import FILES, FURTHER

    with write_whole_folder(to) as partial:
        for name in (*FILES, *FURTHER, CARD):
            if (folder / name).is_file():
                shutil.copyfile(folder / name, partial / name)
