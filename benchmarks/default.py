"""How fast the default system is: one abstract, many abstracts and a cold start, each beside its network alone.

The abstracts are those of the validation part of KP20k, if KEYSEQ_DATA has it, and made up otherwise. Both systems take
turns, so that whatever else the machine does disturbs both. Processor time is less disturbed than time.
"""

import statistics
import time
from collections.abc import Callable
from itertools import islice

import keyseq
from benchmarks.extraction import documents
from benchmarks.figures import Figure, fastest
from benchmarks.startup import COMMANDS, DEFAULT, NETWORK, compared, medians
from keyseq.data.datasets import find
from keyseq.data.formats import read_documents
from keyseq.errors import KeyseqError
from keyseq.types import Document

BASELINE = "scholar-network"
SYSTEMS = ("auto", BASELINE)
THREADS = (1, 2)  # of a list of abstracts: whether a second thread helps depends on what else the machine does
WARMED = 10  # abstracts before anything is measured: tables and weights are read at first use


def run(quick: bool = False) -> list[Figure]:
    """Measure warm, in batches and cold."""
    texts = abstracts(40 if quick else 400)
    started = medians({name: COMMANDS[name] for name in (NETWORK, DEFAULT)}, 3 if quick else 15)
    many = [_many(texts, threads, repeats=1 if quick else 5) for threads in THREADS]
    return [*_one(texts[:200]), *many, compared(DEFAULT, NETWORK, started)]


def abstracts(count: int) -> list[str | Document]:
    """So many abstracts, real ones if they are there."""
    try:
        return list(islice(read_documents(find("kp20k_1000", "valid")), count))
    except KeyseqError:
        return [*documents(count, seed=3)]


def _one(texts: list[str | Document]) -> list[Figure]:
    """Milliseconds that an abstract takes on one thread: the median, and processor time on average."""
    systems = {name: keyseq.load(name, threads=1) for name in SYSTEMS}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in SYSTEMS}
    for number, text in enumerate([*texts[:WARMED], *texts]):
        for name, system in systems.items():
            seconds = _seconds(lambda system=system, text=text: system.predict([text]))  # type: ignore[misc]
            if number >= WARMED:
                taken[name].append(seconds)
    wall = {name: 1000 * statistics.median(one for one, _ in taken[name]) for name in SYSTEMS}
    used = {name: 1000 * statistics.mean(one for _, one in taken[name]) for name in SYSTEMS}
    return [
        _beside("one abstract, one thread", wall, "ms"),
        _beside("one abstract, processor time", used, "ms"),
    ]


def _many(texts: list[str | Document], threads: int, repeats: int) -> Figure:
    """Documents per second of a list of abstracts, the fastest of several runs."""
    systems = {name: keyseq.load(name, threads=threads) for name in SYSTEMS}
    best = dict.fromkeys(SYSTEMS, 0.0)
    for system in systems.values():
        system.predict(texts[:WARMED])
    for _ in range(repeats):
        for name, system in systems.items():
            seconds = fastest(lambda system=system: system.predict(texts), repeats=1)  # type: ignore[misc]
            best[name] = max(best[name], len(texts) / seconds)
    return _beside(f"many abstracts, threads: {threads}", best, "documents/s")


def _seconds(work: Callable[[], object]) -> tuple[float, float]:
    """How long something takes, and how much of the processor's time."""
    started, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - started, time.process_time() - used


def _beside(name: str, values: dict[str, float], unit: str) -> Figure:
    default, _ = SYSTEMS
    ratio = values[default] / values[BASELINE]
    return Figure(name=f"default: {name}", value=values[default], unit=unit, baseline=BASELINE, ratio=ratio)
