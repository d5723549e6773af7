"""What a folder holds before, during and after a command: nothing may be lost, and nothing be there by half."""

import hashlib
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from release.verbs import Verb, fresh

HALF = re.compile(r"\..+\.[0-9a-f]{8}(\..+)?|\.building-\w+")  # names of what is being written

TENSORBOARD = "tensorboard"  # its files are named after the second and the process that began them

State = dict[str, str]  # digests of files by their names


@dataclass(frozen=True)
class Run:
    """What an undisturbed run of a command makes of its inputs."""

    folder: Path
    before: State
    after: State
    varying: frozenset[str]  # files that hold a date or a duration, other in each run
    codes: tuple[int, ...]
    seconds: float


def state(folder: Path) -> State:
    """All files but what is being written."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): hashlib.sha256(_content(path)).hexdigest()
        for path in paths
        if not any(part == TENSORBOARD or HALF.fullmatch(part) for part in path.relative_to(folder).parts)
    }


def _content(path: Path) -> bytes:
    """What a file says; the lines of checksums come in the order in which parts were done."""
    content = path.read_bytes()
    return b"".join(sorted(set(content.splitlines()))) if path.name == "checksums.jsonl" else content


def halves(folder: Path) -> list[str]:
    """What was being written."""
    return [path.name for path in folder.rglob("*") if HALF.fullmatch(path.name)]


def reference(verb: Verb, inputs: Path, folder: Path) -> Run:
    """Run it twice undisturbed."""
    states = []
    for _ in range(2):
        before = state(fresh(inputs, folder))
        start = time.monotonic()
        ran = subprocess.run(verb.command, cwd=folder, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - start
        if ran.returncode:
            raise RuntimeError(f"{verb.name}: exit {ran.returncode}, {ran.stderr}")
        states.append(state(folder))
    one, other = states
    varying = frozenset(name for name in one | other if one.get(name) != other.get(name))
    return Run(folder, before, one, varying, (0,), seconds)


def damaged(run: Run, now: State) -> Iterator[str]:
    """Files that were there before, and are gone or neither as before nor as they should become."""
    for name, was in run.before.items():
        if name not in now and name in run.after:
            yield f"{name} is gone"
        elif name in now and name not in run.varying and now[name] not in (was, run.after.get(name)):
            yield f"{name} is damaged"


def differing(run: Run, now: State) -> Iterator[str]:
    """Files that are not as an undisturbed run leaves them."""
    for name, content in run.after.items():
        if name not in run.varying and now.get(name) != content:
            yield f"in the end {name} is {'other' if name in now else 'missing'}"
    for name in now.keys() - run.after.keys() - run.varying:
        yield f"in the end {name} is there too"
