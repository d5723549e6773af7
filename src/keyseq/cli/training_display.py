"""Progress of a training run: a progress bar on a terminal, otherwise occasional lines."""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from keyseq.cli.console import note

if TYPE_CHECKING:
    from keyseq.training.loop import Event

QUIET = 30.0  # seconds between lines where there is no terminal
RECENT = 20  # steps that the rate is averaged over


@contextmanager
def shown(steps: int) -> "Iterator[Callable[[Event], None]]":
    """Show the events of a training run with this number of steps."""
    with Display(steps) as display:
        yield display.show


class Display:
    """Shows the events of a run on standard error."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._bar: Any = None
        self._recent: deque[tuple[float, float]] = deque(maxlen=RECENT)
        self._told = time.monotonic()
        self._begun = (self._told, 0)  # time and step of the first event

    def __enter__(self) -> "Display":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, event: "Event") -> None:
        """Show one event."""
        match event.kind:
            case "begin":
                self._begin(event)
            case "step":
                self._step(event)
            case "valid":
                scores = ", ".join(f"{name} {value:.4f}" for name, value in event.values.items())
                best = " (best so far)" if event.progress.best_step == event.progress.step else ""
                note(f"step {event.progress.step:,}: validation: {scores}{best}")

    def _begin(self, event: "Event") -> None:
        note(event.note)
        self._begun = time.monotonic(), event.progress.step
        if not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TextColumn("{task.description}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            speed_estimate_period=300,
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=self._steps, completed=event.progress.step)

    def _step(self, event: "Event") -> None:
        now = time.monotonic()
        self._recent.append((now, event.values["documents"]))
        line = f"{_terms(event)}  {self._rate():,.0f} documents/s"
        if self._bar is not None:
            self._bar.update(self._task, completed=event.progress.step, description=line)
        elif now - self._told > QUIET:
            self._told = now
            note(f"step {event.progress.step:,} of {self._steps:,}: {line}, {self._left(event.progress.step, now)}")

    def _left(self, step: int, now: float) -> str:
        """The time until the last step, validations included; a run that stops early needs less."""
        begun, first = self._begun
        seconds = (now - begun) / max(1, step - first) * (self._steps - step)
        return f"at most {duration(seconds)} left"

    def _rate(self) -> float:
        """Documents per second over the last steps; the start of the first is unknown."""
        seconds = self._recent[-1][0] - self._recent[0][0]
        return sum(documents for _, documents in list(self._recent)[1:]) / seconds if seconds else 0.0


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _terms(event: "Event") -> str:
    """The loss and its terms; a missing term is 0."""
    names = ("loss", "nll", "orthogonal", "semantic", "repetition", "tags", "extractor", "reward")
    return "  ".join(f"{name} {event.values[name]:.3f}" for name in names if event.values.get(name))
