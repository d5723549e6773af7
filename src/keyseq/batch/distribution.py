"""Shards assigned to workers, one each and one read ahead, and assigned again when a worker dies."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from keyseq.batch.shards import Failed, Made, Refused, Shard
from keyseq.errors import KeyseqError


class Worker(Protocol):
    """A process, here or on another machine, that predicts one shard at a time."""

    shard: Shard

    def assign(self, shard: Shard) -> None:
        """Start predicting a shard."""
        ...

    def answer(self) -> Made | Failed | Refused | None:
        """The result of the shard; None if the process died."""
        ...

    def end(self) -> str:
        """How the process died, as the end of a sentence that starts with "its worker"."""
        ...

    def stop(self) -> None:
        """Stop the process."""
        ...


AnyWorker = TypeVar("AnyWorker", bound=Worker)


class WorkerPool(Protocol[AnyWorker]):
    """Starts up to `count` workers; a shard whose worker dies is retried up to `retries` times."""

    count: int
    retries: int

    def start(self) -> AnyWorker:
        """Start another worker."""
        ...

    def ready(self, workers: Sequence[AnyWorker]) -> list[AnyWorker]:
        """The workers that have a result; waits for the first."""
        ...


def distribute(shards: Iterator[Shard], pool: WorkerPool[AnyWorker]) -> Iterator[Made | Failed]:
    """Yield the result of each shard, in the order in which they finish."""
    idle: list[AnyWorker] = []
    busy: list[AnyWorker] = []
    deaths: Counter[int] = Counter()
    try:
        following = next(shards, None)
        while following or busy:
            while following and len(busy) < pool.count:
                busy.append(_assigned(following, idle.pop() if idle else pool.start()))
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
                    busy.append(_assigned(worker.shard, pool.start()))
    finally:
        for worker in (*idle, *busy):
            worker.stop()


def _assigned(shard: Shard, worker: AnyWorker) -> AnyWorker:
    worker.assign(shard)
    return worker


def _checked(answer: Made | Failed | Refused) -> Made | Failed:
    if isinstance(answer, Refused):
        raise KeyseqError(answer.reason)
    return answer
