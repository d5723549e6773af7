"""How good keyseq is: its systems on the paper's test sets, measured beside published, as `docs/results.md`.

python -m benchmarks.results --data DIR
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import keyseq
from keyseq.data.datasets import find
from keyseq.data.formats import read_documents
from keyseq.errors import KeyseqError
from keyseq.evaluation import Scores, evaluate
from keyseq.evaluation.report import shown, shown_interval, signatures, units
from keyseq.evaluation.significance import confidence_interval
from keyseq.files import write_whole
from keyseq.tables import Cell, render
from keyseq.types import Document

SYSTEMS = ("tfidf", "textrank")
DATASETS = ("inspec", "krapivin", "nus", "semeval")
OTHERS = ("duc", "kp20k_1000", "scholar", "questions")  # without a row of these systems in the paper's tables
METRICS = ("present.f1@5", "present.f1@10", "present.f1@o")
PUBLISHED = Path(__file__).with_name("published.json")
BATCH = 100
TOP = 50  # phrases asked for: more than any document has gold ones, so that @O is never cut short


@dataclass(frozen=True, slots=True)
class Run:
    """A system on a test set."""

    system: str
    dataset: str
    scores: Scores
    rate: float  # documents per second

    def published(self, metric: str, table: dict[str, Any]) -> float | None:
        """The paper's number, in percent."""
        value: float | None = table.get(self.system, {}).get(self.dataset, {}).get(metric.removeprefix("present."))
        return value

    def row(self, table: dict[str, Any]) -> list[Cell]:
        """Measured, with its interval, and published, for each metric."""
        cells: list[Cell] = [self.dataset, self.system]
        for metric in METRICS:
            published = self.published(metric, table)
            measured = self.scores.aggregate(metric)
            cells += [
                f"{shown(metric, measured)} {shown_interval(metric, confidence_interval(self.scores, metric))}",
                published,
                None if published is None else f"{100 * measured - published:+.1f}".replace("-", "−"),
            ]
        return cells


def runs(data: Path | None) -> Iterator[Run]:
    """Run every system on every test set that is there; one that is missing is told, not passed over."""
    for dataset in (*DATASETS, *OTHERS):
        try:
            documents = list(read_documents(find(dataset, "test", data)))
        except KeyseqError as error:
            sys.stderr.write(f"{error}\n")
            continue
        for system in SYSTEMS:
            yield run(system, dataset, documents)


def run(system: str, dataset: str, documents: list[Document]) -> Run:
    """Predict and score."""
    loaded = keyseq.load(system, top=TOP)
    loaded.predict(documents[:1])  # tables are read at first use
    started = time.perf_counter()
    predictions = [
        phrases for at in range(0, len(documents), BATCH) for phrases in loaded.predict(documents[at : at + BATCH])
    ]
    rate = len(documents) / (time.perf_counter() - started)
    return Run(system, dataset, evaluate(documents, predictions, metrics=METRICS, name=dataset), rate)


def page(measured: list[Run]) -> str:
    """Write the page."""
    table = json.loads(PUBLISHED.read_text(encoding="utf-8"))["present_exhaustive"]
    columns = [cell for metric in METRICS for cell in (f"{metric.removeprefix('present.')}", "published", "Δ")]
    rows = [run.row(table) for run in measured]
    cells = [(run, metric) for run in measured for metric in METRICS if run.published(metric, table) is not None]
    reached = sum(100 * run.scores.aggregate(metric) >= (run.published(metric, table) or 0) for run, metric in cells)
    signed = {f"{run.dataset}/{run.system}": run.scores for run in measured}
    return "\n".join(
        [
            "# Results",
            "",
            "Present keyphrases on the test sets of the paper, measured beside published (Table 2 of the paper), with",
            "95 % bootstrap intervals over the documents. Made by `make results`, with `KEYSEQ_DATA` naming the folder",
            f"of the corpora; each system gives up to {TOP} phrases. {units(METRICS)}",
            f"Of the {len(cells)} published numbers, {reached} are reached.",
            "",
            render(["test set", "system", *columns], rows, "markdown"),
            "Signatures:",
            "",
            *(f"- {line}" for line in signatures(signed, METRICS)),
            "",
        ]
    )


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser("python -m benchmarks.results", description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of the corpora; else KEYSEQ_DATA")
    parser.add_argument("--out", type=Path, default=Path("docs/results.md"))
    arguments = parser.parse_args()
    measured = list(runs(arguments.data))
    if not measured:
        sys.exit(2)
    for done in measured:
        print(f"{done.dataset:12} {done.system:10} {done.rate:8,.0f} documents/s")
    with write_whole(arguments.out) as file:
        file.write(page(measured))


if __name__ == "__main__":
    main()
