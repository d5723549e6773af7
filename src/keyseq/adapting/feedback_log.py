"""The log of feedback: a file to which lines are appended, one JSON object each, and on disk before append returns."""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock, Timeout

from keyseq.adapting.feedback import Feedback
from keyseq.errors import DataError, KeyseqError
from keyseq.files import make_folder, open_binary, sync
from keyseq.systems.learnt_versions import FEEDBACK

LOG, LOCK = "log.jsonl", ".log.lock"
WAIT = 10.0  # seconds for other processes that write


class LoggedFeedback(NamedTuple):
    """An entry of the log: feedback, or why the line is invalid; and where the line ends, in bytes."""

    feedback: Feedback | None
    fault: str
    end: int


class FeedbackLog:
    """The log of the system in a folder; several processes may write to it."""

    def __init__(self, system: Path) -> None:
        self.path = system / FEEDBACK / LOG

    def append(self, entries: Iterable[Feedback]) -> None:
        """Add feedback; it is on disk when this returns, all of it or, after an error or a kill, whole lines of it."""
        lines = "".join(f"{entry.to_json()}\n" for entry in entries).encode()
        make_folder(self.path.parent)
        try:
            with FileLock(self.path.with_name(LOCK), timeout=WAIT):
                _append(self.path, lines)
        except Timeout:
            raise KeyseqError(f"{self.path}: another process has been writing for {WAIT:g} seconds") from None
        except OSError as error:
            raise KeyseqError(f"{self.path}: cannot be written ({error.strerror or error})") from error

    def read(self, start: int = 0) -> Iterator[LoggedFeedback]:
        """The entries from a place on; a line that a kill cut short, or that is damaged otherwise, is a fault."""
        if not self.path.is_file():
            return
        with self.path.open("rb") as file:
            file.seek(start)
            for line in file:
                start += len(line)
                if not line.endswith(b"\n"):
                    return  # still being written, or cut short: it counts once another line follows
                if line.strip():
                    yield _entry(line, start)

    @property
    def size(self) -> int:
        """The size of the log in bytes."""
        return self.path.stat().st_size if self.path.is_file() else 0

    @property
    def torn(self) -> bool:
        """Whether the last line was cut short."""
        return self.size > 0 and not _ends_a_line(self.path)


def _append(path: Path, lines: bytes) -> None:
    """Append lines; an incomplete last line stays a line by itself."""
    is_new = not path.exists()
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        if not is_new and os.fstat(descriptor).st_size and not _ends_a_line(path):
            lines = b"\n" + lines
        while lines:
            lines = lines[os.write(descriptor, lines) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if is_new:
        sync(path.parent)


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _entry(line: bytes, end: int) -> LoggedFeedback:
    try:
        values: Any = json.loads(line)
    except (ValueError, RecursionError):
        return LoggedFeedback(None, "a line that was cut short, or is not JSON", end)
    try:
        return LoggedFeedback(Feedback.of(values), "", end)
    except DataError as error:
        return LoggedFeedback(None, str(error), end)


def read_feedback(path: Path) -> list[Feedback]:
    """The feedback of a file, one JSON object per line; the first bad line is refused."""
    found = []
    with open_binary(path) as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                try:
                    found.append(Feedback.of(json.loads(line)))
                except (ValueError, RecursionError):
                    raise DataError(f"{path}:{number}: not JSON; write one object per line") from None
                except DataError as error:
                    raise DataError(f"{path}:{number}: {error}") from None
    if not found:
        raise DataError(f"{path}: holds no feedback")
    return found
