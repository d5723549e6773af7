"""The weight of recall (beta) of a system, chosen by F1 on documents that its ranker was not trained on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keyseq.ranking.expected_f1 import best_counts
from keyseq.ranking.runs import Flags, Floats

# Those that are compared; a dial that multiplies by the square root of 2 has all of them in its middle
WEIGHTS = (0.75, 0.85, 0.95, 1.05, 1.15, 1.25, 1.35)
MOST_LISTS = 2_000


@dataclass(frozen=True)
class JudgedRanking:
    """The candidates of a document that may be given: probabilities (N,), and which of them are its keyphrases (N,).

    `others` is the expected number of keyphrases besides the candidates, `keyphrases` the number there are.
    """

    chances: Floats
    gold: Flags
    keyphrases: int
    others: float

    def f_scores(self, betas: tuple[float, ...]) -> list[float]:
        """F1 of the lists that have the largest expected F-score with these weights of recall."""
        order = np.argsort(-self.chances, kind="stable")
        counts = best_counts(self.chances[order], self.others, betas)
        hits = np.concatenate([[0], np.cumsum(self.gold[order[: max(counts)]])])
        return [2 * int(hits[count]) / max(1, count + self.keyphrases) for count in counts]


def best_weight(rankings: Sequence[JudgedRanking]) -> float:
    """The weight with the best mean F1; the means of neighbours are averaged, since they differ by little."""
    judged = rankings[:MOST_LISTS]
    means = np.mean([one.f_scores(WEIGHTS) for one in judged], axis=0)
    padded = np.pad(means, 1, mode="edge")
    smooth = (padded[:-2] + padded[1:-1] + padded[2:]) / 3
    return WEIGHTS[int(np.argmax(smooth))]
