"""Shards given to those that work on them, one each and one read ahead, and given again where somebody dies."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from keyseq.batch.shards import Failed, Made, Refused, Shard
from keyseq.errors import KeyseqError


class Hand(Protocol):
    """A process somewhere that works on one shard at a time."""

    shard: Shard

    def give(self, shard: Shard) -> None:
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


Worker = TypeVar("Worker", bound=Hand)


class Staff(Protocol[Worker]):
    """Where hands come from: how many there may be, and how often a shard is given again when one dies over it."""

    count: int
    retries: int

    def hire(self) -> Worker:
        """Start one more."""
        ...

    def answering(self, hands: Sequence[Worker]) -> list[Worker]:
        """Those that have something to say, waiting for the first."""
        ...


def distribute(shards: Iterator[Shard], staff: Staff[Worker]) -> Iterator[Made | Failed]:
    """Yield what becomes of each shard, in the order in which they are done."""
    idle: list[Worker] = []
    busy: list[Worker] = []
    deaths: Counter[int] = Counter()
    try:
        following = next(shards, None)
        while following or busy:
            while following and len(busy) < staff.count:
                busy.append(_given(following, idle.pop() if idle else staff.hire()))
                following = next(shards, None)
            for hand in staff.answering(busy):
                answer = hand.answer()
                busy.remove(hand)
                if answer is not None:
                    idle.append(hand)
                    yield _checked(answer)
                    continue
                number = hand.shard.number
                deaths[number] += 1
                if deaths[number] > staff.retries:
                    yield Failed(number, f"its worker {hand.end()}, {deaths[number]} times")
                else:
                    busy.append(_given(hand.shard, staff.hire()))
    finally:
        for hand in (*idle, *busy):
            hand.stop()


def _given(shard: Shard, hand: Worker) -> Worker:
    hand.give(shard)
    return hand


def _checked(answer: Made | Failed | Refused) -> Made | Failed:
    if isinstance(answer, Refused):
        raise KeyseqError(answer.reason)
    return answer
