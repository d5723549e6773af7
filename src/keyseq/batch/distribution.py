"""Shards assigned to workers, one each and one read ahead, and assigned again when a worker dies."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from keyseq.batch.shards import Failed, Made, Refused, Shard
from keyseq.errors import KeyseqError


class Worker(Protocol):
    """A process somewhere that works on one shard at a time."""

    shard: Shard

    def assign(self, shard: Shard) -> None:
        """Have it work on a shard."""
        ...

    def answer(self) -> Made | Failed | Refused | None:
        """What became of the shard; None if the process has died over it."""
        ...

    def end(self) -> str:
        """How a process that has died did so, to follow "its worker"."""
        ...

    def stop(self) -> None:
        """End the process."""
        ...


AnyWorker = TypeVar("AnyWorker", bound=Worker)


class WorkerPool(Protocol[AnyWorker]):
    """Where workers come from: how many there may be, and how often a shard is given again when one dies over it."""

    count: int
    retries: int

    def start(self) -> AnyWorker:
        """Start one more."""
        ...

    def ready(self, workers: Sequence[AnyWorker]) -> list[AnyWorker]:
        """Those that have something to say, waiting for the first."""
        ...


def distribute(shards: Iterator[Shard], pool: WorkerPool[AnyWorker]) -> Iterator[Made | Failed]:
    """Yield what becomes of each shard, in the order in which they are done."""
    idle: list[AnyWorker] = []
    busy: list[AnyWorker] = []
    deaths: Counter[int] = Counter()
    try:
        following = next(shards, None)
        while following or busy:
            while following and len(busy) < pool.count:
                busy.append(_given(following, idle.pop() if idle else pool.start()))
                following = next(shards, None)
            for worker in pool.ready(busy):
                answer = worker.answer()
                busy.remove(worker)
                if answer is not None:
                    idle.append(worker)
                    yield _checked(answer)
                    continue
                number = worker.shard.number
                deaths[number] += 1
                if deaths[number] > pool.retries:
                    yield Failed(number, f"its worker {worker.end()}, {deaths[number]} times")
                else:
                    busy.append(_given(worker.shard, pool.start()))
    finally:
        for worker in (*idle, *busy):
            worker.stop()


def _given(shard: Shard, worker: AnyWorker) -> AnyWorker:
    worker.assign(shard)
    return worker


def _checked(answer: Made | Failed | Refused) -> Made | Failed:
    if isinstance(answer, Refused):
        raise KeyseqError(answer.reason)
    return answer
