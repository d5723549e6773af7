"""What a folder of part files was made from, so that a job is resumed with the same inputs and settings only."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError, shown
from keyseq.files import write_whole

NAME = "run.json"
SHOWN = 3  # differences that are reported
LONGEST = 60  # characters of a value


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
    other = list(_differences("", there, now))
    if other:
        more = f"; and {len(other) - SHOWN} more" if len(other) > SHOWN else ""
        raise KeyseqError(
            f"{folder}: holds a job with other inputs or settings ({'; '.join(other[:SHOWN])}{more}); "
            f"use those of {folder / NAME}, or another --out"
        )


def _differences(name: str, there: Any, now: Any) -> Iterator[str]:
    """What differs, down to single values, such as `settings top: 5 there, 10 now`."""
    if isinstance(there, dict) and isinstance(now, dict):
        for key in {**there, **now}:
            yield from _differences(f"{name} {key}".strip(), there.get(key), now.get(key))
    elif isinstance(there, list) and isinstance(now, list) and len(there) == len(now):
        for number, (one, other) in enumerate(zip(there, now, strict=True), start=1):
            yield from _differences(f"{name} {number}".strip() if len(now) > 1 else name, one, other)
    elif there != now:
        yield f"{name}: {_told(there)} there, {_told(now)} now"


def _told(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, dict | list):
        return f"{len(value)} values"
    return shown(str(value), LONGEST)


def read(path: Path) -> dict[str, Any]:
    """Read a small JSON file of the job."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise KeyseqError(f"{path}: cannot be read ({error}); choose a new folder") from None
    if not isinstance(found, dict):
        raise KeyseqError(f"{path}: is not a file of a keyseq job; choose a new folder")
    return found


def write(path: Path, content: dict[str, Any]) -> None:
    """Write a small JSON file of the job atomically."""
    with write_whole(path) as file:
        file.write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
