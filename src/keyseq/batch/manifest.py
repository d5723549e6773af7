"""What a folder of part files was made from, so that a job is resumed with the same inputs and settings only."""

import json
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError
from keyseq.files import write_whole

NAME = "run.json"


def check_in(folder: Path, manifest: dict[str, Any]) -> None:
    """Write a new folder's manifest, or refuse a folder that has a different one, unless it holds no part yet."""
    names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    if NAME not in names and names:
        raise KeyseqError(f"{folder}: is not empty and has no {NAME} of an earlier job; choose a new folder")
    if names - {NAME}:
        _compare(folder, read(folder / NAME), json.loads(json.dumps(manifest)))
    else:
        write(folder / NAME, manifest)


def _compare(folder: Path, there: dict[str, Any], now: dict[str, Any]) -> None:
    other = [name for name in {**there, **now} if there.get(name) != now.get(name)]
    if other:
        told = "; ".join(f"{name}: {_told(there.get(name))} there, {_told(now.get(name))} now" for name in other)
        raise KeyseqError(
            f"{folder}: holds a job with other inputs or settings ({told}); "
            f"use those of {folder / NAME}, or another --out"
        )


def _told(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else f"{text[:159]}…"


def read(path: Path) -> dict[str, Any]:
    """Read a small JSON file of the job."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise KeyseqError(f"{path}: cannot be read ({error}); choose a new folder") from None
    if not isinstance(found, dict):
        raise KeyseqError(f"{path}: is not a file of a keyseq job; choose a new folder")
    return found


def write(path: Path, content: dict[str, Any]) -> None:
    """Write a small JSON file of the job atomically."""
    with write_whole(path) as file:
        file.write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
