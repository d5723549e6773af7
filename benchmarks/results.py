"""How good keyseq is: its systems on all test sets, measured beside published, as `docs/results.md`.

python -m benchmarks.results --data DIR
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import keyseq
from keyseq.cli.console import track
from keyseq.data.datasets import find
from keyseq.data.formats import read_documents
from keyseq.errors import KeyseqError
from keyseq.evaluation import Scores, evaluate
from keyseq.evaluation.metrics import DEFAULT
from keyseq.evaluation.report import shown, signatures, units
from keyseq.evaluation.significance import confidence_interval
from keyseq.experiments import published
from keyseq.experiments.predictions import TOP
from keyseq.experiments.published import Question
from keyseq.files import write_whole
from keyseq.tables import Cell, render
from keyseq.types import Document

DATASETS = ("inspec", "krapivin", "nus", "semeval", "duc", "kp20k_1000", "scholar", "questions")
METRICS, COUNTS = DEFAULT[:-2], DEFAULT[-2:]  # scores, and how many phrases there are
PAPER = {"tfidf": "TfIdf", "textrank": "TextRank", "copyrnn*": r"CopyRNN\*", "catseq": "catSeq", "catseqd": "catSeqD"}
BATCH = 64
KEPT = "\n## Equal budgets\n"  # what follows is of `keyseq experiment`, and stays as it is


@dataclass(frozen=True, slots=True)
class Subject:
    """A system and how it decodes."""

    system: str
    decoding: str = ""
    published: bool = False  # in the published order of phrases, not in a learnt one

    @property
    def label(self) -> str:
        """Its name in a table."""
        return ", ".join(filter(None, (self.system, self.decoding, "published order" if self.published else "")))

    def load(self) -> keyseq.System:
        """The system; of a network only what it reads at once, as published figures do."""
        if not self.decoding:
            return keyseq.load(self.system, top=TOP)
        ranking = "sequence" if self.published else None
        return keyseq.load(self.system, decoding=self.decoding, ranking=ranking, cut=True)


@dataclass(frozen=True, slots=True)
class Run:
    """A system on a test set."""

    subject: Subject
    dataset: str
    scores: Scores
    counts: tuple[float, float]  # mean and variance of the number of phrases
    rate: float  # documents per second


def subjects(dataset: str) -> list[Subject]:
    """What is measured on a test set: the rankers, and the network that was trained for such texts."""
    network = "questions" if dataset == "questions" else "scholar"
    strategies = ("distinct", "greedy", "beam", "exhaustive")
    networks = [Subject(network, decoding) for decoding in strategies]
    return [Subject("tfidf"), Subject("textrank"), *networks, Subject(network, "exhaustive", published=True)]


def run(subject: Subject, dataset: str, documents: Sequence[Document]) -> Run:
    """Predict and score."""
    system = subject.load()
    system.predict(documents[:1])  # tables and weights are read at first use
    starts = range(0, len(documents), BATCH)
    started = time.perf_counter()
    batches = (system.predict(documents[at : at + BATCH]) for at in starts)
    predictions = [phrases for batch in track(batches, f"{dataset}: {subject.label}", len(starts)) for phrases in batch]
    rate = len(documents) / (time.perf_counter() - started)
    lengths = [len(phrases) for phrases in predictions]
    scores = evaluate(documents, predictions, metrics=(*METRICS, *COUNTS), name=dataset)
    return Run(subject, dataset, scores, (float(np.mean(lengths)), float(np.var(lengths))), rate)


def sections(data: Path | None, datasets: Sequence[str]) -> Iterator[tuple[str, list[Run]]]:
    """The section of each test set that is there; one that is missing is told, not passed over."""
    for dataset in datasets:
        try:
            documents = list(read_documents(find(dataset, "test", data)))
        except KeyseqError as error:
            sys.stderr.write(f"{error}\n")
            yield f"## {dataset}\n\nNot measured: the corpus was not there.\n", []
            continue
        runs = [run(subject, dataset, documents) for subject in subjects(dataset)]
        yield section(dataset, documents, runs), runs


def section(dataset: str, documents: Sequence[Document], runs: Sequence[Run]) -> str:
    """Scores beside those of the paper, and numbers of phrases beside those of the gold."""
    rows = [_measured(run) for run in runs] + list(_paper(dataset.removesuffix("_1000")))
    numbers = [_numbers(run) for run in runs if run.subject.decoding in ("distinct", "greedy", "beam")]
    return "\n".join(
        [
            f"## {dataset}",
            "",
            render(["system", *METRICS, "documents/s"], rows, "markdown"),
            _gold(np.array([len(document.keyphrases or ()) for document in documents])),
            "",
            render(["system", "phrases", "variance", "off by"], numbers, "markdown"),
            *(f"- {line}" for line in signatures({run.subject.label: run.scores for run in runs}, METRICS)),
            "",
        ]
    )


def _gold(lengths: NDArray[np.int64]) -> str:
    """How many phrases people gave, and how far off are those who always say the same number."""
    mean, median = lengths.mean(), np.median(lengths)
    by_mean, by_median = (np.abs(lengths - usual).mean() for usual in (mean, median))
    return (
        f"Gold: {mean:.1f} phrases a document (variance {lengths.var():.1f}); always saying the mean would be off by"
        f" {by_mean:.2f}, always the median, {median:g}, by {by_median:.2f}."
    )


def _measured(run: Run) -> list[Cell]:
    """A score, and half the width of its interval."""
    cells: list[Cell] = [run.subject.label]
    for metric in METRICS:
        interval = confidence_interval(run.scores, metric)
        half = shown(metric, (interval.high - interval.low) / 2)
        cells.append(f"{shown(metric, run.scores.aggregate(metric))} ± {half}")
    return [*cells, f"{run.rate:,.0f}" if run.rate >= 10 else f"{run.rate:.1f}"]


def _paper(dataset: str) -> Iterator[list[Cell]]:
    """The paper's rows; its own decoding is exhaustive."""
    for key, name in PAPER.items():
        asked = [(f"{metric.partition('.')[0]}_exhaustive", Question(key, dataset, metric)) for metric in METRICS]
        known = [published.score(*one) for one in asked]
        if any(known):
            yield [f"*{name}, published*", *known, None]


def _numbers(run: Run) -> list[Cell]:
    mean, variance = run.counts
    return [run.subject.label, f"{mean:.1f}", f"{variance:.1f}", f"{run.scores.aggregate('predictions.count-mae'):.2f}"]


def page(parts: Sequence[str]) -> str:
    """The whole page."""
    return "\n".join(
        [
            "# Results",
            "",
            "The networks of the package beside rankers and published numbers; at the end, all of the paper's systems",
            "with [equal budgets](#equal-budgets).",
            "",
            "Made by `make results`, with `KEYSEQ_DATA` naming the folder of the corpora. Convention `yuan2020`",
            "([evaluation](evaluation.md)); ± is half the width of a 95 % bootstrap interval over the documents.",
            f"{units(METRICS)} Rankers give {TOP} phrases, networks what their decoding says",
            "([decoding](decoding.md)); exhaustive decoding ranks them in the order that the network has learnt and,",
            "in a row of its own, in the published order. *Published* rows are those of the paper (exhaustive",
            "decoding, beam 50); its networks were trained on KP20k. Documents/s are those of this machine, two cores,",
            "all decoded in one run; `python -m benchmarks` measures speed with more care.",
            "",
            *parts,
        ]
    )


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser("python -m benchmarks.results", description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of the corpora; else KEYSEQ_DATA")
    parser.add_argument("--out", type=Path, default=Path("docs/results.md"))
    parser.add_argument("datasets", nargs="*", default=DATASETS, help="test sets; all without any")
    arguments = parser.parse_args()
    made = list(sections(arguments.data, arguments.datasets))
    if not any(runs for _, runs in made):
        sys.exit(2)
    before = arguments.out.read_text(encoding="utf-8") if arguments.out.is_file() else ""
    with write_whole(arguments.out) as file:
        file.write(page([text for text, _ in made]) + "".join(before.partition(KEPT)[1:]))


if __name__ == "__main__":
    main()
