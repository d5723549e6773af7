"""Learn a ranker from documents with keyphrases: trees by cross-fitting, then the calibration."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keyseq.data.parallel import Track, untracked
from keyseq.errors import DataError
from keyseq.ranking.boosting import BoostedTrees, BoostingSettings
from keyseq.ranking.candidate_ranker import CandidateRanker, Rows, Scaling, second_look
from keyseq.ranking.features import measure
from keyseq.ranking.logistic import regression
from keyseq.ranking.pool import Pool, Sketch
from keyseq.ranking.redundancy import Shortlist, relations
from keyseq.ranking.runs import Flags, Floats

FOLDS = 5
SECOND = BoostingSettings(trees=80, leaves=12, rate=0.06, leaf=100, columns=0.8)


@dataclass(frozen=True)
class RankingExample:
    """A training document of a ranker: its candidates, which of them are keyphrases, and its number of keyphrases."""

    rows: Rows  # (N, F)
    sketch: Sketch
    gold: Flags  # (N,)
    keyphrases: int

    @classmethod
    def of(cls, pool: Pool, keyphrases: NDArray[np.uint32]) -> "RankingExample":
        """The candidates of a document whose keyphrases have these numbers."""
        return cls(measure(pool), pool.sketch, np.isin(pool.keys, keyphrases), len(keyphrases))


@dataclass(frozen=True)
class Learnt:
    """A ranker, and the probabilities (N,) of each example's candidates by trees that were not trained on the document.

    `first` are the logits (N,) by the first of these trees alone.
    """

    ranker: CandidateRanker
    held_out: list[Floats]
    first: list[Floats]


def learn(examples: Sequence[RankingExample], settings: BoostingSettings, track: Track = untracked) -> Learnt:
    """Learn from examples; each of `FOLDS` parts is judged by trees that were learnt from the others.

    The second trees learn from such judgements, since those on documents that were learnt from are too sure. So does
    the calibration.
    """
    if len(examples) < 2 * FOLDS:
        raise DataError(f"a ranker needs at least {2 * FOLDS} documents with keyphrases, not {len(examples)}")
    if not any(example.gold.any() for example in examples):
        raise DataError("no candidate is a keyphrase of its document: there is nothing to learn")
    logits, parts = cross_fitted(examples, settings, FOLDS, track), np.arange(len(examples)) % FOLDS
    twice: list[Floats] = [np.zeros(0)] * len(examples)
    listed = [_listed(*pair) for pair in zip(examples, logits, strict=True)]
    for part, trees in track(_by_part(FOLDS, lambda part: _second(listed, parts != part)), "second look", FOLDS):
        for number in np.flatnonzero(parts == part).tolist():
            if len(logits[number]):
                twice[number] = second_look(logits[number], examples[number].sketch, trees)
    scaling = _scaling(examples, twice)
    missing = np.mean([one.keyphrases - one.gold.sum() for one in examples])
    every = np.ones(len(examples), dtype=bool)
    ranker = CandidateRanker(_first(examples, every, settings), _second(listed, every), scaling, float(missing))
    pairs = zip(twice, examples, strict=True)
    return Learnt(ranker, [scaling.probabilities(one, example.sketch.in_text) for one, example in pairs], logits)


def cross_fitted(
    examples: Sequence[RankingExample], settings: BoostingSettings, folds: int, track: Track = untracked
) -> list[Floats]:
    """The logits (N,) of each example's candidates by first trees that were not trained on the document."""
    parts = np.arange(len(examples)) % folds
    logits: list[Floats] = [np.zeros(0)] * len(examples)
    grown = _by_part(folds, lambda part: _first(examples, parts != part, settings))
    for part, trees in track(grown, "growing trees", folds):
        for number in np.flatnonzero(parts == part).tolist():
            logits[number] = trees.logits(examples[number].rows).astype(float)
    return logits


def _by_part(folds: int, grow: Callable[[int], BoostedTrees]) -> Iterator[tuple[int, BoostedTrees]]:
    """The trees of each part, several parts at a time: trees are grown outside of Python's lock."""
    with ThreadPoolExecutor(min(folds, os.cpu_count() or 1)) as threads:
        yield from enumerate(threads.map(grow, range(folds)))


def _first(examples: Sequence[RankingExample], kept: Flags, settings: BoostingSettings) -> BoostedTrees:
    known = [examples[number] for number in np.flatnonzero(kept).tolist()]
    rows, labels = np.concatenate([one.rows for one in known]), np.concatenate([one.gold for one in known])
    return BoostedTrees.fit(rows, labels, settings)


def _listed(example: RankingExample, logits: Floats) -> tuple[Rows, Flags]:
    """How the best candidates of a document overlap, and which of them are its keyphrases."""
    shortlist = Shortlist(example.sketch, logits)
    return relations(shortlist), example.gold[shortlist.numbers]


def _second(listed: Sequence[tuple[Rows, Flags]], kept: Flags) -> BoostedTrees:
    known = [listed[number] for number in np.flatnonzero(kept).tolist()]
    return BoostedTrees.fit(
        np.concatenate([one for one, _ in known]), np.concatenate([one for _, one in known]), SECOND
    )


def _scaling(examples: Sequence[RankingExample], logits: Sequence[Floats]) -> Scaling:
    """Platt scaling by logistic regression on cross-fitted logits."""
    every = np.concatenate(logits)
    gold = np.concatenate([one.gold for one in examples])
    present = np.concatenate([one.sketch.in_text for one in examples])
    slopes, offsets = np.ones(2), np.zeros(2)
    for which in (0, 1):
        own = (present == bool(which)) & (every > -15)
        if gold[own].any():
            slopes[which], offsets[which] = regression(every[own][:, None], gold[own])
    return Scaling(slopes, offsets)
