"""The sizes and checksums of part files, so that one that was emptied or cut short since is made again."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from keyseq.errors import KeyseqError
from keyseq.files import sha256, sync, write_whole

NAME = "checksums.jsonl"


def record(part: Path, content: bytes) -> None:
    """Add a part that was written to the list in its folder."""
    line = {"part": part.name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    path = part.with_name(NAME)
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise KeyseqError(f"{path}: cannot be written ({error.strerror or error})") from error


def intact(folder: Path) -> set[str]:
    """The names of the parts that are as they were written; all others are removed from the list."""
    lines = dict(_recorded(folder / NAME))
    found = {name: line for name, line in lines.items() if _is_intact(folder / name, line)}
    if (folder / NAME).exists():  # also rid of a line that a kill has cut
        with write_whole(folder / NAME) as file:
            file.writelines(f"{json.dumps(line)}\n" for line in found.values())
        sync(folder)
    return set(found)


def _recorded(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            found = json.loads(line)
            if Path(found["part"]).name == found["part"]:
                yield found["part"], found
        except (ValueError, TypeError, KeyError, RecursionError):
            continue


def _is_intact(part: Path, line: dict[str, object]) -> bool:
    return part.is_file() and part.stat().st_size == line.get("bytes") and sha256(part) == line.get("sha256")
