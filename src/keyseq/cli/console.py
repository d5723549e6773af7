"""Output and progress display, shared by all commands."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

import typer

from keyseq.files import share_read, write_whole
from keyseq.overwriting import writing

if TYPE_CHECKING:
    from rich.progress import Progress

    from keyseq.data.formats import ReadingReport

Item = TypeVar("Item")

SKIPPED = 1  # exit code of a command that skipped records on request
SHOWN = 5  # skipped records listed with the reason
PATIENCE = 1.0  # seconds before a progress bar appears: most commands are done by then


def note(message: str) -> None:
    """Print a message to stderr."""
    sys.stderr.write(f"{message}\n")


def tell_skipped(skipped: Sequence[str] | None) -> None:
    """List skipped records, and exit with code 1 if there are any."""
    if skipped:
        _list(skipped, "skipped {count} that cannot be read:", "record")
        raise typer.Exit(SKIPPED)


def reading_report(*, skip_bad: bool, textless: bool = False) -> "ReadingReport":
    """The report of a command that reads documents; records without a text are errors too, unless `textless`."""
    from keyseq.data.formats import ReadingReport

    return ReadingReport(
        skipped=[] if skip_bad else None,
        textless=[] if textless else None,
        tell=note,
        advice="--skip-bad leaves out what cannot be read",
    )


def tell_read(report: "ReadingReport", *, tagged: bool = False) -> None:
    """List what was passed over in reading, and exit with code 1 if records could not be read.

    In a file that is `tagged`, records without a text stay as they were.
    """
    _list(report.unread, "{count} that {are} not read:", "file")
    kept = "{count} without a text {are} in the output as before, without keyphrases:"
    _list(report.textless or (), kept if tagged else "{count} without a text {are} left out:", "record")
    tell_skipped(report.skipped)


def _list(messages: Sequence[str], heading: str, noun: str) -> None:
    """Print the first of several messages below a heading."""
    if not messages:
        return
    one = len(messages) == 1
    note(heading.format(count=f"{len(messages):,} {noun}{'' if one else 's'}", are="is" if one else "are"))
    for message in messages[:SHOWN]:
        note(f"  {message}")
    if len(messages) > SHOWN:
        note(f"  and {len(messages) - SHOWN:,} more")


def declared(context: typer.Context, path: Path | None) -> Path | None:
    """Declare the output file of a command, so that an input of the same name is refused before the work."""
    if path is not None:
        context.with_resource(writing(path))
    return path


@contextmanager
def output(path: Path | None, *, in_place: Path | None = None) -> Iterator[IO[str]]:
    """Write to a file, whole or not at all, or to standard output."""
    if path is not None:
        with write_whole(path, in_place=in_place) as file:
            yield file
        return
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    yield sys.stdout
    sys.stdout.flush()


def track(
    items: Iterable[Item],
    description: str,
    total: int | Callable[[], int | None] | None = None,
    source: str | Path | None = None,
) -> Iterator[Item]:
    """Pass items through with a progress bar of count, rate and remaining time, if it takes longer than a second.

    If the total is unknown, progress is the fraction of the `source` file that has been read; `total` may also be a
    function that estimates it.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    bar = _Bar(description, total, None if source is None else Path(source))
    try:
        for item in items:
            yield item
            bar.advance()
    finally:
        bar.close()


def track_steps(items: Iterable[Item], description: str, total: int | None = None) -> Iterator[Item]:
    """Show the progress of a step of the library; without a total, by the fraction of the file that was read."""
    return track(items, description, total, source=None if total else description)


class _Bar:
    """A progress bar that appears, and imports rich, only after a delay."""

    def __init__(self, description: str, total: int | Callable[[], int | None] | None, source: Path | None) -> None:
        self._description, self._total, self._source = description, total, source
        self._count, self._started, self._drawn = 0, time.monotonic(), 0.0
        self._progress: Progress | None = None

    def advance(self) -> None:
        self._count += 1
        now = time.monotonic()
        if now - self._started < PATIENCE or now - self._drawn < 0.1:
            return
        self._drawn = now
        self._progress = self._progress or self._open()
        rate = f"{self._count / (now - self._started):,.0f}/s"
        [task] = self._progress.task_ids
        self._progress.update(task, completed=self._count, total=self._expected(), rate=rate)

    def _expected(self) -> int | None:
        if callable(self._total):
            return self._total()
        if self._total is not None or self._source is None:
            return self._total
        share = share_read(self._source)
        return round(self._count / share) if share else None

    def _open(self) -> "Progress":
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        progress.add_task(self._description, total=self._expected(), rate="")
        progress.start()
        return progress

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()
