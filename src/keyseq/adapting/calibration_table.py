"""The calibration error of the phrases that a system gives, with its bootstrap interval."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from keyseq.adapting.rankings import Answer
from keyseq.evaluation.significance import Interval
from keyseq.ranking.reliability import BINS
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import phrase_stems
from keyseq.types import Document, Phrase

Floats = NDArray[np.float64]
SAMPLES = 1_000


class CalibrationTable:
    """For each document and bin of probability: the number of phrases, their probability, and how many are right.

    Phrases are right `by_concept`, or else by their stems, also in documents that have subjects besides keyphrases.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        answers: Sequence[Answer],
        analyzer: Analyzer = ENGLISH,
        *,
        by_concept: bool = False,
    ) -> None:
        self._sums: Floats = np.zeros((len(documents), 3, BINS))
        for row, document, answer in zip(self._sums, documents, answers, strict=True):
            given = answer.given
            rights = _right_concepts(document, given) if by_concept else _right_phrases(document, given, analyzer)
            for phrase, right in zip(given, rights, strict=True):
                place = min(int(phrase.score * BINS), BINS - 1)
                row[:, place] += (1, phrase.score, right)

    @property
    def error(self) -> float:
        """The expected calibration error of all phrases."""
        return float(_errors(self._sums.sum(axis=0)))

    def interval(self, seed: int, level: float = 0.95) -> Interval:
        """Percentiles of a bootstrap over the documents."""
        chance = np.random.default_rng(seed)
        count = len(self._sums)
        drawn = [np.bincount(chance.integers(count, size=count), minlength=count) for _ in range(SAMPLES)]
        errors = _errors(np.tensordot(np.array(drawn, dtype=float), self._sums, axes=1))
        low, high = np.quantile(errors, [(1 - level) / 2, (1 + level) / 2])
        return Interval(float(low), float(high))


def _errors(sums: Floats) -> Floats:
    """Expected calibration errors of sums over documents (…, 3, BINS)."""
    count, predicted, observed = (sums[..., number, :] for number in range(3))
    distance: Floats = np.abs(predicted - observed).sum(axis=-1) / np.maximum(1, count.sum(axis=-1))
    return distance


def _right_concepts(document: Document, phrases: Iterable[Phrase]) -> list[bool]:
    return [(phrase.uri or phrase.text) in (document.subjects or ()) for phrase in phrases]


def _right_phrases(document: Document, phrases: Iterable[Phrase], analyzer: Analyzer) -> list[bool]:
    gold = {tuple(phrase_stems(phrase, analyzer)) for phrase in document.keyphrases or ()}
    return [tuple(phrase_stems(phrase.text, analyzer)) in gold for phrase in phrases]
