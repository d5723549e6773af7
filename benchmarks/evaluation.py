"""Evaluated documents per second: on one core and on two, in memory and from files, stems remembered or not.

Each row is measured in a process of its own, `python -m benchmarks.evaluation COUNT PROCESSES PLACE`, whose first
evaluation is cold: no word has been stemmed yet. The stems are warm in the evaluations after it.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.figures import Figure, fastest
from benchmarks.generate import documents, predictions
from keyseq.data.formats import write_documents
from keyseq.evaluation import Scores, evaluate

ROWS = [(1, "memory"), (2, "memory"), (1, "files"), (2, "files")]


def run(quick: bool = False) -> list[Figure]:
    """Measure 20,000 documents of 180 words with ten predictions each."""
    count = 2_000 if quick else 20_000
    measured = {row: _measured_apart(count, *row) for row in ROWS}
    slowest = count / measured[1, "memory"]["cold"]
    return [
        Figure(
            name=f"evaluate: {_cores(processes)}, {place}, {stems}",
            value=count / seconds,
            unit="documents/s",
            baseline="one core, memory, cold",
            ratio=count / seconds / slowest,
        )
        for (processes, place), times in measured.items()
        for stems, seconds in times.items()
    ]


def _cores(processes: int) -> str:
    return "one core" if processes == 1 else f"{processes} cores"


def _measured_apart(count: int, processes: int, place: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.evaluation", str(count), str(processes), place]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    seconds: dict[str, float] = json.loads(printed)
    return seconds


def measure(
    count: int, processes: int, place: str, clock: Callable[[], float] = time.perf_counter, repeats: int = 5
) -> dict[str, float]:
    """Time evaluations in this process: the first, and the fastest of some more."""
    with tempfile.TemporaryDirectory() as folder:
        work = partial(_prepared(count, place, Path(folder)), processes=processes)
        cold = fastest(work, 1, clock)
        work(processes=1)  # this process remembers the stems, and those that it forks inherit them
        return {"cold": cold, "warm": fastest(work, repeats, clock)}


def _prepared(count: int, place: str, folder: Path) -> Callable[..., Scores]:
    gold = list(documents(count, seed=1))
    predicted = [predictions(document, seed=2) for document in gold]
    if place == "memory":
        return partial(evaluate, gold, predicted)
    write_documents(gold, folder / "gold.jsonl")
    with (folder / "predictions.jsonl").open("w") as file:
        for document, phrases in zip(gold, predicted, strict=True):
            file.write(json.dumps({"id": document.id, "keyphrases": phrases}) + "\n")
    return partial(evaluate, folder / "gold.jsonl", folder / "predictions.jsonl")


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))
