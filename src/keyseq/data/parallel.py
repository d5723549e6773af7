"""A function over chunks of a stream by several processes: in order, and no further ahead than there is room."""

import itertools
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Track(Protocol):
    """Anything that shows how far an iteration has come."""

    def __call__(self, items: Iterable[Item], description: str, total: int | None = None) -> Iterator[Item]:
        """Pass the items through."""
        ...


def _untracked(items: Iterable[Item], description: str, total: int | None = None) -> Iterator[Item]:  # noqa: ARG001
    return iter(items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """How a stream of documents is worked through."""

    processes: int = field(default_factory=lambda: os.cpu_count() or 1)
    track: Track = _untracked
    skip_bad: bool = False


def chunked(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Cut a stream into lists of `size` items, the last of what is left."""
    iterator = iter(items)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk


def run(function: Callable[[Item], Result], items: Iterable[Item], processes: int) -> Iterator[Result]:
    """Yield `function(item)` for each item, in order. A single item, or a single process, starts no other."""
    iterator = iter(items)
    first = list(itertools.islice(iterator, 2))
    items = itertools.chain(first, iterator)
    if len(first) < 2 or processes < 2:
        yield from map(function, items)
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor

    try:
        workers = Parallel(n_jobs=processes, return_as="generator", pre_dispatch="2*n_jobs")
        work = delayed(partial(_work, function, os.getpid()))
        yield from workers(work(item) for item in items)
    finally:
        get_reusable_executor().shutdown()  # else the workers keep their memory for minutes


def _work(function: Callable[[Item], Result], parent: int, item: Item) -> Result:
    """Do an item's work in a worker that ends with its parent, even one that was killed."""
    if not any(thread.name == _end_with.__name__ for thread in threading.enumerate()):
        threading.Thread(target=_end_with, name=_end_with.__name__, args=(parent,), daemon=True).start()
    return function(item)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
