"""A training job, independent of the kind of system: inputs, output and progress display."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from keyseq.data.parallel import Track, untracked

if TYPE_CHECKING:
    from keyseq.training.loop import Event


def _silent(_: str) -> None:
    """Discard a message."""


def _unseen(_: int) -> "AbstractContextManager[Callable[[Event], None]]":
    return nullcontext(lambda _: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressDisplay:
    """How progress is shown: iterations, messages, and the events of a training run."""

    track: Track = untracked
    note: Callable[[str], None] = _silent
    training: "Callable[[int], AbstractContextManager[Callable[[Event], None]]]" = _unseen


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingJob:
    """A training job: `system` is a name of `TRAINABLE`, or the settings of a network.

    `options` are the options of `keyseq train` that are specific to some systems, by flag name.
    """

    system: str
    train: Sequence[Path]
    out: Path
    valid: Path | None = None
    overrides: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    skip_bad: bool = False
    progress: ProgressDisplay = field(default_factory=ProgressDisplay)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOutcome:
    """The result of a training as JSON, and the records it skipped.

    Of several processes that train together, only one `reports`.
    """

    record: Mapping[str, Any]
    skipped: Sequence[str] = ()
    skipped_count: int = 0
    reports: bool = True
