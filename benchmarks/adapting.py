"""How good `keyseq adapt` is and what it costs, on questions with tags: the figures of docs/how-to/adapt.md.

python -m benchmarks.adapting --data DIR [--documents 2000 --documents 0] [--from none] [--part test]
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import keyseq
from keyseq.adapting.rankings import answers
from keyseq.data.datasets import find
from keyseq.data.formats import read_documents, write_documents
from keyseq.errors import KeyseqError
from keyseq.evaluation import Scores, evaluate
from keyseq.evaluation.report import shown, signatures, units
from keyseq.evaluation.significance import confidence_interval
from keyseq.tables import render
from keyseq.types import Document

LIST = ("all.f1@m", "present.f1@m", "predictions.count")  # of the list that a user gets
RANKING = ("all.f1@5", "present.f1@o", "absent.recall@10", "absent.recall@50")  # of all candidates


@dataclass(frozen=True)
class Cost:
    """What a process took."""

    wall: float  # seconds
    processor: float  # seconds, of all its threads
    memory: float  # bytes at most


def adapt(corpus: Path, out: Path, more: Sequence[str]) -> Cost:
    """Run the command."""
    started = time.perf_counter()
    command = [sys.executable, "-m", "keyseq", "adapt", str(corpus), "--out", str(out), *more]
    with (out.parent / "table.txt").open("w") as table:
        process = subprocess.Popen(command, stdout=table)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise KeyseqError(f"{' '.join(command)} failed")
    wall = time.perf_counter() - started
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def scores(system: keyseq.System, documents: Sequence[Document], name: str) -> dict[str, Scores]:
    """The scores that have each metric."""
    found = answers(system, documents)
    lists = evaluate(documents, [one.given for one in found], metrics=LIST, name=name)
    rankings = evaluate(documents, [one.ranking for one in found], metrics=RANKING, name=name)
    return {metric: lists if metric in LIST else rankings for metric in (*LIST, *RANKING)}


def measured(count: int, arguments: argparse.Namespace, test: Sequence[Document]) -> Iterator[list[str]]:
    """A row for a corpus of so many documents, 0 for all."""
    train = read_documents(find("questions", "train", arguments.data))
    with tempfile.TemporaryDirectory() as place:
        corpus, out = Path(place) / "corpus.jsonl", Path(place) / "adapted"
        write_documents(itertools.islice(train, count or None), corpus)
        more = ["--from", arguments.start, "--network", arguments.network, *(f"--set={one}" for one in arguments.set)]
        cost = adapt(corpus, out, more)
        sys.stderr.write((Path(place) / "table.txt").read_text())
        size = sum(path.stat().st_size for path in out.rglob("*"))
        found = scores(keyseq.load(str(out)), test, f"questions-{arguments.part}")
        total = len(list(read_documents(corpus)))
    cells = [f"{shown(metric, one.aggregate(metric))} ± {_half(one, metric)}" for metric, one in found.items()]
    yield [
        f"{total:,}",
        *cells,
        f"{cost.processor:.0f}",
        f"{cost.wall:.0f}",
        f"{cost.memory / 1e9:.1f}",
        f"{size / 1e6:.1f}",
    ]
    for one in {id(one): one for one in found.values()}.values():
        sys.stderr.write("\n".join(signatures({"adapted": one}, one.metrics)) + "\n")


def _half(one: Scores, metric: str) -> str:
    interval = confidence_interval(one, metric)
    return shown(metric, (interval.high - interval.low) / 2)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser("python -m benchmarks.adapting", description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of the corpora; else KEYSEQ_DATA")
    parser.add_argument("--documents", type=int, action="append", help="documents of the corpus; 0 for all")
    parser.add_argument("--from", dest="start", default="none", help="the system to begin with, or none")
    parser.add_argument("--network", default="none")
    parser.add_argument("--part", default="test", choices=("valid", "test"), help="what the system is measured on")
    parser.add_argument("--set", action="append", default=[], help="a setting, as adapt.KEY=VALUE")
    parser.add_argument("--json", type=Path, help="a file for the rows")
    arguments = parser.parse_args()
    try:
        test = list(read_documents(find("questions", arguments.part, arguments.data)))
        rows = [row for count in arguments.documents or (2_000, 0) for row in measured(count, arguments, test)]
    except KeyseqError as error:
        sys.exit(str(error))
    headers = ["documents", *LIST, *RANKING, "processor s", "wall s", "memory GB", "size MB"]
    print(render(headers, rows, "markdown") + f"\n± is half of a 95 % bootstrap interval. {units(LIST)}")
    if arguments.json:
        arguments.json.write_text(json.dumps([dict(zip(headers, row, strict=True)) for row in rows], indent=1))


if __name__ == "__main__":
    main()
