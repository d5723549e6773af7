"""The probability that a phrase is a keyphrase of a text, by logistic regression over a few features of both."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keyseq.ranking.logistic import logistic, regression
from keyseq.retrieval.neighbours import Neighbours
from keyseq.text.hashing import find, stem_hashes
from keyseq.text.presence import SourceText, StemmedText

Floats = NDArray[np.float64]
FEATURES = (
    "is in the text",
    "log of its occurrences",
    "first place, 1 if absent",
    "is in the title",
    "has one word",
    "has two words",
    "has more than three words",
    "share of its words in the text",
    "mean rarity of its words",
    "least rarity of its words",
)


@dataclass(frozen=True)
class PhraseScorer:
    """The weights (F + 1,) of a logistic regression over `FEATURES`, the bias last."""

    weights: Floats

    def __post_init__(self) -> None:
        if self.weights.shape != (len(FEATURES) + 1,) or not np.isfinite(self.weights).all():
            raise ValueError(f"{len(FEATURES) + 1} finite weights of a scorer were expected")

    def __call__(self, features: Floats) -> Floats:
        """The probabilities (N,) of phrases with these features (N, F)."""
        return logistic(features @ self.weights[:-1] + self.weights[-1])

    @classmethod
    def fit(cls, features: Floats, labels: NDArray[np.bool_]) -> "PhraseScorer":
        """Learn the weights from phrases (N, F) and whether they are keyphrases (N,)."""
        return cls(regression(features, labels))


def measured(
    phrases: Sequence[Sequence[str]], source: SourceText, title: str, index: Neighbours | None = None
) -> Floats:
    """The features (N, F) of phrases for a text; without an index, all words are equally rare."""
    text, analyzer = StemmedText(source.stems), source.analyzer
    stems = [tuple(analyzer.stems(phrase)) for phrase in phrases]
    known, in_title = set(source.stems), StemmedText(analyzer.text_stems(title))
    rows = [_measured(one, text, len(source.stems), known) for one in stems]
    titled = [float(bool(title) and one in in_title) for one in stems]
    rarity = [_rarity(one, index) for one in stems]
    table = [[*row[:3], own, *row[3:], *rare] for row, own, rare in zip(rows, titled, rarity, strict=True)]
    return np.array(table, dtype=np.float64).reshape(-1, len(FEATURES))


def _measured(stems: tuple[str, ...], text: StemmedText, length: int, known: set[str]) -> list[float]:
    places, count = list(text.positions(stems)), len(stems)
    return [
        float(bool(places)),
        float(np.log1p(len(places))),
        places[0] / length if places else 1.0,
        float(count == 1),
        float(count == 2),
        float(count > 3),
        sum(stem in known for stem in stems) / max(1, count),
    ]


def _rarity(stems: tuple[str, ...], index: Neighbours | None) -> tuple[float, float]:
    """The mean and the least rarity of words: −log of the share of the documents of an index that have each."""
    if index is None or not stems:
        return 0.0, 0.0
    places = find(index.stems, stem_hashes(stems))
    counts = np.where(places >= 0, np.diff(index.offsets)[places], 0) if len(index.stems) else np.zeros(len(stems))
    rarity = np.log((len(index.sizes) + 1) / (counts + 1))
    return float(rarity.mean()), float(rarity.min())
