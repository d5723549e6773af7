"""The workspace of an experiment: data, output folder, given networks and progress display."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError
from keyseq.experiments.budget import Scale
from keyseq.files import make_folder, sha256
from keyseq.systems.training_job import ProgressDisplay
from keyseq.version import __version__

LAYOUT = 1  # version of the folder's layout; part of every key


class MissingPartError(KeyseqError):
    """A row of a table lacks something it needs; the message is shown in the row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """`networks` were trained elsewhere, by `NAME` or `NAME@CORPUS`."""

    data: Path | None
    out: Path
    scale: Scale = field(default_factory=Scale)
    networks: Mapping[str, Path] = field(default_factory=dict)
    progress: ProgressDisplay = field(default_factory=ProgressDisplay)

    def for_seed(self, number: int) -> "Workspace":
        """The same for networks of the seed of this number, counted from 0."""
        return replace(self, scale=replace(self.scale, seed=self.scale.seed + number, seeds=1))

    def folder(self, name: str) -> Path:
        """A subfolder of the output folder, created if missing."""
        make_folder(self.out / name)
        return self.out / name

    @contextmanager
    def alone(self, path: Path) -> Iterator[None]:
        """Lock a path while it is made, so that one of several runs makes it and the others wait."""
        from filelock import FileLock, Timeout

        lock = FileLock(path.with_name(f".{path.name}.lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            self.progress.note(f"waiting for another run that is making {path}")
            lock.acquire()
        try:
            yield
        finally:
            lock.release()


def content(path: Path) -> str:
    """The digest of a file, recomputed only if its size or modification time has changed."""
    status = path.stat()
    return _content(path, status.st_size, status.st_mtime_ns)


@lru_cache
def _content(path: Path, _size: int, _modified: int) -> str:
    return sha256(path)


def key(*parts: Any) -> str:  # all that JSON can hold
    """A digest of everything that a result depends on, including the version of keyseq."""
    text = json.dumps([LAYOUT, __version__, *parts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
