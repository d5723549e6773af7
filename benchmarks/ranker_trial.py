"""How good a ranker for `scholar` is by cross-fitting, on each part of the documents that it learns from.

python -m benchmarks.ranker_trial --data DIR --corpora CLEAN
python -m benchmarks.ranker_trial --data DIR --corpora CLEAN --network runs/mine --scattered 0 --set trees=200

Candidates are counted, not the phrases that they are shown as: scores are a little above those of `keyseq evaluate`.
Nothing of a test part is read. CLEAN is described in `benchmarks.shipped`.
"""

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.shipped import RANKED, SETTINGS
from keyseq.cli.console import track
from keyseq.config.single import overridden
from keyseq.errors import KeyseqError
from keyseq.ranking.expected_f1 import best_count
from keyseq.ranking.learning import Learnt, RankingExample, learn
from keyseq.ranking.pool import Pool
from keyseq.ranking.runs import Floats
from keyseq.systems.combined import CandidateSource, read_parts
from keyseq.systems.combined_training import CombinedTrainingSettings
from keyseq.systems.hub import locate
from keyseq.systems.neural import NeuralSystem
from keyseq.systems.ranking_examples import drawn_untitled, ranking_examples
from keyseq.tables import render
from keyseq.text.presence import phrase_stems
from keyseq.types import Document

BETAS = (0.95, 1.15)
COLUMNS = ("F1@O", *(f"{name}, beta {beta}" for beta in BETAS for name in ("F1@M", "all F1@M")), "R@10", "R@50")


@dataclass(frozen=True)
class Judged:
    """A document of a part: its candidates, and how many of its keyphrases the text has and has not."""

    part: str
    example: RankingExample
    present: int
    absent: int


def judged(data: Path, corpora: Path, source: CandidateSource, settings: CombinedTrainingSettings) -> Iterator[Judged]:
    """The documents of all parts, measured."""
    for part in RANKED["scholar"]:
        documents = list(part.documents(data, corpora))
        untitled = drawn_untitled(len(documents), settings.untitled, settings.seed)
        measured = ranking_examples(source, documents, untitled, track)
        for document, (pool, example) in zip(documents, measured, strict=True):
            yield Judged(part.path, example, *_numbers(document, pool))


def _numbers(document: Document, pool: Pool) -> tuple[int, int]:
    stemmed = {tuple(phrase_stems(phrase)) for phrase in document.keyphrases or ()} - {()}
    present = sum(1 for stems in stemmed if pool.reading.source.spans(list(stems)))
    return present, len(stemmed) - present


def scores(one: Judged, chances: Floats, others: float) -> dict[str, float]:
    """The scores of a document under the probabilities of its candidates."""
    order = np.argsort(-chances, kind="stable")
    gold, in_text = one.example.gold[order], one.example.sketch.in_text[order]
    found: dict[str, float] = {}
    if one.present:
        best = gold[in_text][: one.present]
        found["F1@O"] = f1(int(best.sum()), len(best), one.present)
    for beta in BETAS:
        count = best_count(chances[order], others, beta)
        listed = gold[:count]
        found[f"all F1@M, beta {beta}"] = f1(int(listed.sum()), count, one.present + one.absent)
        if one.present:
            here = listed[in_text[:count]]
            found[f"F1@M, beta {beta}"] = f1(int(here.sum()), len(here), one.present)
    if one.absent:
        found |= {f"R@{count}": gold[~in_text][:count].sum() / one.absent for count in (10, 50)}
    return found


def f1(hits: int, given: int, wanted: int) -> float:
    """The F-score of so many right phrases among those given, of those wanted."""
    return 2 * hits / max(1, given + wanted)


def table(documents: Sequence[Judged], learnt: Learnt) -> str:
    """The mean scores of each part, in percent."""
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one, chances in zip(documents, learnt.held_out, strict=True):
        for name, value in scores(one, chances, learnt.ranker.others).items():
            values[one.part][name].append(value)
    rows = [
        [part, *(f"{100 * np.mean(own[name]):.1f}" if own[name] else "–" for name in COLUMNS)]
        for part, own in values.items()
    ]
    return render(["part", *COLUMNS], rows, "markdown")


def main() -> None:
    """Measure the documents, learn by cross-fitting and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--network", default="scholar-network")
    parser.add_argument("--scattered", type=int, default=80)
    parser.add_argument("--set", action="append", default=[], help="a setting of the trees, such as trees=200")
    options = parser.parse_args()
    try:
        chosen = [f"combined.{setting}" for setting in (*SETTINGS["scholar"], *options.set)]
        settings = overridden("combined", CombinedTrainingSettings, chosen)
        known = replace(read_parts(locate("scholar").folder).tables.known, scattered=options.scattered)
        source = CandidateSource(known, NeuralSystem.from_pretrained(options.network))
        documents = list(judged(options.data, options.corpora, source, settings))
        random.Random(0).shuffle(documents)  # the folds are of all parts
        print(table(documents, learn([one.example for one in documents], settings, track)))
    except KeyseqError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
