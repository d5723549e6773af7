"""Ranking the candidates of a long text: by the ranker over a digest, and by frequency in the whole text."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.ranking.candidate_ranker import LEAST, CandidateRanker
from keyseq.ranking.expected_f1 import MOST
from keyseq.ranking.features import document_count, keyphraseness, measure
from keyseq.ranking.logistic import logistic, regression
from keyseq.ranking.long_text import LONG, LongText
from keyseq.ranking.pool import Pool
from keyseq.ranking.redundancy import Shortlist, fragments
from keyseq.ranking.runs import Flags, Floats

OFTEN = 16  # occurrences of a word that count half as much as any number of them; a phrase of two words needs a fourth
GROWTH = 4  # phrases more that a list may have for each doubling of the text
LONGEST_LIST = 30
ABOUT = float(np.log(2))  # how much less a longer phrase's odds may be than those of a part of it

Measured = Callable[[Pool, LongText], NDArray[np.generic]]


def _repeated(pool: Pool, whole: LongText) -> Floats:
    """How often the whole text has it, between 0 and 1: a longer phrase is rarely repeated by chance."""
    lengths = (pool.words != 0).sum(axis=1)
    weighed: Floats = whole.counts(pool.keys) * lengths**2
    return weighed / (weighed + OFTEN)


# The features of a candidate besides the logit of the ranker's first trees
MEASURED: dict[str, Measured] = {
    "repeated": _repeated,
    "noun_phrase": lambda pool, _: pool.of_runs(pool.noun_share, 0.0),  # without a tagger, between stop words
    "keyphraseness": lambda pool, _: keyphraseness(pool),
    "document_count": lambda pool, _: document_count(pool),
}


def _given_way(shortlist: Shortlist, times: Floats) -> Flags:
    """Which candidates of several words stand half of the times in one longer candidate that is about as good."""
    held = shortlist.contained & (times[None, :] >= times[:, None] / 2)
    held &= shortlist.logits[None, :] >= shortlist.logits[:, None] - ABOUT
    lost: Flags = held.any(axis=1) & (shortlist.lengths > 1)
    return lost


@dataclass(frozen=True)
class LongRanking:
    """A logistic regression over the ranker's logit and `MEASURED` (F + 1,), its bias last.

    `others` is the mean number of keyphrases of a long text that are not among its candidates.
    """

    weights: Floats
    others: float

    def probabilities(self, pool: Pool, whole: LongText, ranker: CandidateRanker) -> Floats:
        """The probability (N,) that each candidate is a keyphrase; near 0 for fragments of better ones."""
        if not len(pool.keys):
            return np.zeros(0)
        logits = measured(pool, whole, ranker) @ self.weights[:-1] + self.weights[-1]
        shortlist = Shortlist(pool.sketch, logits)
        times = whole.counts(pool.keys)[shortlist.numbers]
        lost = fragments(shortlist, shortlist.logits) | _given_way(shortlist, times)
        logits[shortlist.numbers[lost]] = LEAST
        return logistic(logits)

    def arrays(self) -> dict[str, Any]:
        """The parameters, by name."""
        return {"weights": self.weights, "others": np.array([self.others])}

    @classmethod
    def from_arrays(cls, named: Mapping[str, Any]) -> "LongRanking":
        """Restore from `arrays`."""
        return cls(np.array(named["weights"]), float(named["others"][0]))


def measured(pool: Pool, whole: LongText, ranker: CandidateRanker) -> Floats:
    """The features (N, F) of candidates."""
    logits = ranker.first.logits(measure(pool, ranker.asked)).astype(float)
    return np.column_stack([logits, *(one(pool, whole) for one in MEASURED.values())])


class LongExample(NamedTuple):
    """What is learnt from a long text: the measures of its candidates, which are keyphrases, and how many there are."""

    source: str  # the collection that it is of
    rows: Floats  # (N, F)
    gold: Flags  # (N,)
    keyphrases: int


def learn_long_ranking(examples: Sequence[LongExample]) -> LongRanking:
    """Learn from texts; each collection counts the same, and so does each text of a collection."""
    texts = Counter(one.source for one in examples)
    shares = np.concatenate([np.full(len(one.rows), 1 / texts[one.source] / len(one.rows)) for one in examples])
    rows, right = (np.concatenate([getattr(one, name) for one in examples]) for name in ("rows", "gold"))
    missing = np.mean([one.keyphrases - one.gold.sum() for one in examples])
    return LongRanking(regression(rows, right, shares / shares.mean()), float(missing))


def longest_list(whole: LongText) -> int:
    """The maximum number of phrases of a long text, which grows with its length."""
    doublings = np.log2(max(1.0, len(whole.text) / LONG))
    return min(LONGEST_LIST, round(float(MOST + GROWTH * (1 + doublings))))
