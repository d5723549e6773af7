"""A server for a long while: requests of mixed sizes, floods and feedback, and what it holds after each round."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.clients import Load, message, posted, press, pressing
from benchmarks.figures import Figure
from benchmarks.generate import documents
from benchmarks.served import Server, serving
from keyseq.systems.hub import PRETRAINED

ROUNDS = 6  # the first warms up
FLOODED = 0.15  # of a round
FLOOD = 640  # clients
CLIENTS = 8
LEARNS = "questions"  # the system that gets feedback, a copy of it
EVERY = "60"  # seconds between learning
QUIET = 3  # seconds after a flood


@dataclass(frozen=True)
class Round:
    """What clients met with in a round, and what the server held after it."""

    mixed: Load
    feedback: Load
    flood: Load
    memory: float
    descriptors: int


def soak(name: str, minutes: float) -> Iterator[Figure]:
    """Rounds of mixed sizes with feedback, and a flood at the end of each: what is lost, and what the server keeps.

    It grows in the first round, until requests of each size have met in each thread; from then on it should not.
    """
    with tempfile.TemporaryDirectory() as folder:
        learning = shutil.copytree(PRETRAINED / LEARNS, Path(folder) / "learning")
        with serving(name, "--learn", str(learning), "--learn-every", EVERY) as server:
            rounds = [_round(server, 60 * minutes / ROUNDS, number) for number in range(ROUNDS)]
        stored = sum(1 for _ in (learning / "feedback" / "log.jsonl").open(encoding="utf-8"))
    yield from _answers(f"soak of {minutes:g} min", rounds, stored)
    for number, one in enumerate(rounds, start=1):
        baseline = "after the first round" if number > 1 else ""
        place = f"round {number} of {ROUNDS}"
        first = rounds[0]
        yield Figure(
            name=f"{place}: memory", value=one.memory, unit="MB", ratio=one.memory / first.memory, baseline=baseline
        )
        yield Figure(name=f"{place}: descriptors", value=one.descriptors, unit="", baseline=baseline)
        yield Figure(name=f"{place}: p99 of {CLIENTS} clients", value=one.mixed.percentile(99), unit="ms")


def _round(server: Server, seconds: float, number: int) -> Round:
    mixed, feedback = asyncio.run(_calm(server.port, (1 - FLOODED) * seconds, number))
    flood = press(server.port, FLOOD, FLOODED * seconds, _mixed()[:2])
    time.sleep(QUIET)
    return Round(mixed, feedback, flood, server.memory, server.descriptors)


async def _calm(port: int, seconds: float, number: int) -> tuple[Load, Load]:
    """Clients with texts, and one with feedback."""
    texts = pressing(port, CLIENTS, seconds, _mixed())
    feedback = pressing(port, 1, seconds, _feedback(number), pause=0.25)
    return tuple(await asyncio.gather(texts, feedback))  # type: ignore[return-value]  # two of them


def _answers(name: str, rounds: Sequence[Round], stored: int) -> Iterator[Figure]:
    calm = [load for one in rounds for load in (one.mixed, one.feedback)]
    floods = [one.flood for one in rounds]
    taken = sum(one.feedback.statuses[200] for one in rounds)
    yield Figure(name=f"{name}: answered", value=sum(load.statuses[200] for load in calm), unit="requests")
    yield Figure(name=f"{name}: not answered 200", value=sum(map(_failed, calm)), unit="requests")
    yield Figure(name=f"{name}: feedback taken", value=taken, unit="documents")
    yield Figure(name=f"{name}: feedback taken, and not on disk", value=taken - stored, unit="documents")
    for status in (200, 503):
        value = sum(load.statuses[status] for load in floods)
        yield Figure(name=f"{name}: {FLOOD} clients: answered {status}", value=value, unit="requests")
    others = sum(_failed(load) - load.statuses[503] for load in floods)
    yield Figure(name=f"{name}: {FLOOD} clients: other answers, or none", value=others, unit="requests")


def _failed(load: Load) -> int:
    return sum(load.statuses.values()) - load.statuses[200] + load.lost


def _texts(count: int, words: int) -> list[str]:
    return [document.text for document in documents(count, seed=5, words=words)]


def _mixed() -> list[bytes]:
    """Single documents and batches, from a sentence to a paper."""
    sizes: Sequence[tuple[int, int]] = [(20, 1), (180, 1), (180, 8), (60, 16), (1500, 1), (180, 1), (4000, 1)]
    return [message(*_texts(count, words)) for words, count in sizes]


def _feedback(number: int) -> list[bytes]:
    """Feedback on documents of this round."""
    return [
        posted(
            "/v1/feedback",
            {"text": text, "accepted": [" ".join(text.split()[:2])], "rejected": [" ".join(text.split()[5:7])]},
        )
        for text in _texts(64 * (number + 1), 60)[-64:]
    ]
