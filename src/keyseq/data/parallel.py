"""Map a function over a stream on several processes, in order and with a bounded queue."""

import itertools
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from keyseq.data.overlap import Overlap
from keyseq.types import Document

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2  # queued items per process


class Track(Protocol):
    """A progress display for an iteration."""

    def __call__(self, items: Iterable[Item], description: str, total: int | None = None) -> Iterator[Item]:
        """Pass the items through."""
        ...


def untracked(items: Iterable[Item], description: str, total: int | None = None) -> Iterator[Item]:  # noqa: ARG001
    """Pass the items through without a display."""
    return iter(items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """How a stream of documents is processed.

    `see` is called with each document that is encoded; documents of `without`, and copies of them, are left out.
    """

    processes: int = field(default_factory=lambda: os.cpu_count() or 1)
    track: Track = untracked
    skip_bad: bool = False
    see: Callable[[Document], None] = lambda _: None
    without: Overlap | None = None


def chunked(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Split a stream into lists of `size` items; the last may be shorter."""
    iterator = iter(items)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk


def run(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    processes: int,
    pool: "Callable[..., Executor] | None" = None,
) -> Iterator[Result]:
    """Yield `function(item)` for each item, in order. A single item, or a single process, starts no other.

    `pool` makes the processes; the default is loky, which does not run the caller's script again.
    """
    iterator = iter(items)
    first = list(itertools.islice(iterator, 2))
    items = itertools.chain(first, iterator)
    if len(first) < 2 or processes < 2:
        yield from map(function, items)
        return
    with (pool or _loky())(processes, initializer=end_with, initargs=(os.getpid(),)) as executor:
        waiting: deque[Future[Result]] = deque()
        for item in items:
            waiting.append(executor.submit(function, item))
            if len(waiting) > AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _loky() -> "Callable[..., Executor]":
    from loky import ProcessPoolExecutor

    return cast("Callable[..., Executor]", ProcessPoolExecutor)


def end_with(parent: int) -> None:
    """End this process when its parent ends, even if that is killed."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
