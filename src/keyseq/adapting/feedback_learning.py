"""Learn from feedback: a new version of a combined system, activated unless it is worse on held-out documents."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from keyseq.adapting.correcting import correct
from keyseq.adapting.feedback import Feedback
from keyseq.adapting.feedback_log import FeedbackLog
from keyseq.adapting.quality_check import check_quality, read_held_out
from keyseq.data.parallel import Track, untracked
from keyseq.errors import KeyseqError
from keyseq.files import make_folder
from keyseq.systems.combined import load_combined
from keyseq.systems.learnt_versions import HELD_OUT, Version, Versions, check_learns
from keyseq.types import Document

LOCK = ".learning.lock"


class NothingToLearnError(KeyseqError):
    """No feedback has come since the last version."""


@dataclass(frozen=True)
class Learning:
    """The system in a folder as one that learns; `held_out` are documents for the check, by default its own."""

    folder: Path
    held_out: Path | None = None
    track: Track = untracked
    note: Callable[[str], None] = lambda _: None

    def __post_init__(self) -> None:
        check_learns(self.folder)

    @property
    def versions(self) -> Versions:
        """The versions of the system."""
        return Versions(self.folder)

    @property
    def log(self) -> FeedbackLog:
        """The feedback so far."""
        return FeedbackLog(self.folder)

    def learn(self, more: Sequence[Feedback] = ()) -> Version:
        """Learn from the feedback that no version has learnt from yet, after adding more of it.

        A version that is significantly worse on held-out documents is stored as refused, and not activated.
        """
        if more:
            self.log.append(more)
        with self._alone():
            versions = self.versions
            finished = self._finish()
            current = versions.about(versions.current)
            try:
                version, entries = self._next(current)
            except NothingToLearnError:
                if finished is None:
                    raise
                return finished
            system = load_combined(str(self.folder), {})
            before = versions.corrections(max(versions.numbers(), default=0))
            held_out = self._held_out()
            corrections = correct(system, entries, held_out, before, self.track)
            version = replace(version, documents=len(corrections.digests), verdicts=len(corrections.owners))
            if held_out:
                found = check_quality(held_out, system, system.corrected(corrections))
                version = replace(version, scores=found.record(), refused=str(found) if found.fell else "")
            versions.add(version, corrections)
            self._decide(version)
            return version

    def rollback(self) -> Version:
        """Go back to the version before the active one."""
        with self._alone():
            current = self.versions.current
            if not current:
                raise KeyseqError(f"{self.folder}: nothing to roll back: it is as it was trained")
            parent = self.versions.about(current).parent
            self.versions.use(parent)
            return self.versions.about(parent)

    def use(self, number: int) -> Version:
        """Activate a version."""
        with self._alone():
            self.versions.use(number)
            return self.versions.about(number)

    def _finish(self) -> Version | None:
        """Activate the version that an interrupted run stored: its feedback would be passed over otherwise."""
        if not (number := self.versions.pending):
            return None
        version = self.versions.about(number)
        self._decide(version)
        return version

    def _decide(self, version: Version) -> None:
        if version.refused:
            self.versions.settle()
        else:
            self.versions.use(version.number)

    def _next(self, current: Version) -> tuple[Version, list[Feedback]]:
        """The next version and its feedback: that of the current one, and all that no version has seen."""
        numbers = self.versions.numbers()
        start = max((self.versions.about(number).end for number in numbers), default=0)
        end, found = start, 0
        for entry in self.log.read(start):
            end, found = entry.end, found + (entry.feedback is not None)
            if entry.fault:
                self.note(f"{self.log.path}: skipped {entry.fault}, which ends at byte {entry.end:,}")
        if self.log.torn:
            self.note(f"{self.log.path}: the last line was cut short and is skipped")
        if not found:
            raise NothingToLearnError(f"{self.folder}: no feedback since version {max(numbers, default=0)}")
        version = Version(
            number=max(numbers, default=0) + 1, parent=current.number, parts=[*current.parts, [start, end]]
        )
        return version, [feedback for begin, stop in version.parts for feedback in self._part(begin, stop)]

    def _part(self, start: int, end: int) -> Iterator[Feedback]:
        for entry in self.log.read(start):
            if entry.end > end:
                return
            if entry.feedback is not None:
                yield entry.feedback

    def _held_out(self) -> list[Document]:
        """The documents to check by: those given, or those of the folder."""
        own = self.folder / HELD_OUT
        if self.held_out is None and not own.is_file():
            self.note(f"{self.folder}: has no held-out documents, so the effect is not checked; see --held-out")
            return []
        return read_held_out(self.held_out or own)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        make_folder(self.versions.folder)
        try:
            with FileLock(self.versions.folder / LOCK, timeout=0):
                yield
        except Timeout:
            raise KeyseqError(f"{self.folder}: another process is learning; try again when it is done") from None
