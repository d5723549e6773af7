"""Where an experiment works: its data, its folder, what it was given, and how it shows how far it has come."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keyseq.data.parallel import Track, untracked
from keyseq.errors import KeyseqError
from keyseq.experiments.budget import Scale
from keyseq.files import make_folder, sha256
from keyseq.version import __version__

if TYPE_CHECKING:
    from keyseq.training.loop import Event

LAYOUT = 1  # of what lies in the folder; part of every key


class MissingPartError(KeyseqError):
    """Something that a row of a table needs is not there; the message is what the row says."""


def _silent(_: str) -> None:
    """Tell nobody."""


def _unseen(_: int) -> "AbstractContextManager[Callable[[Event], None]]":
    return nullcontext(lambda _: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressDisplay:
    """Who is told how far an experiment has come: iterations, sentences, the events of a training of so many steps."""

    track: Track = untracked
    note: Callable[[str], None] = _silent
    training: "Callable[[int], AbstractContextManager[Callable[[Event], None]]]" = _unseen


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """`networks` were trained elsewhere, by `NAME` or `NAME@CORPUS`."""

    data: Path | None
    out: Path
    scale: Scale = field(default_factory=Scale)
    networks: Mapping[str, Path] = field(default_factory=dict)
    progress: ProgressDisplay = field(default_factory=ProgressDisplay)

    def folder(self, name: str) -> Path:
        """A folder below that of the experiments, made where there is none."""
        make_folder(self.out / name)
        return self.out / name

    @contextmanager
    def alone(self, path: Path) -> Iterator[None]:
        """Let one of several runs at a time make what shall lie at a path; the others wait and find it there."""
        from filelock import FileLock, Timeout

        lock = FileLock(path.with_name(f".{path.name}.lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            self.progress.note(f"waiting for another run, which makes {path}")
            lock.acquire()
        try:
            yield
        finally:
            lock.release()


def content(path: Path) -> str:
    """The digest of a file, computed again only if its size or date has changed."""
    status = path.stat()
    return _content(path, status.st_size, status.st_mtime_ns)


@lru_cache
def _content(path: Path, _size: int, _modified: int) -> str:
    return sha256(path)


@cache
def code(*packages: str) -> str:
    """The digest of some of keyseq's own packages: a version that changes with what they do."""
    root = Path(__file__).parents[1]
    files = sorted(file for package in packages for file in (root / package).glob("*.*") if file.is_file())
    return hashlib.sha256("".join(f"{file.name}\0{sha256(file)}\n" for file in files).encode()).hexdigest()


def key(*parts: Any) -> str:  # noqa: ANN401  # all that JSON can hold
    """A name for all that decides a result: equal parts and an equal version have the same."""
    text = json.dumps([LAYOUT, __version__, *parts], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
