"""Naive Bayes over discretized features, as in KEA."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from keyseq.extractive.discretization import Flags, Floats, bins, cut_points


@dataclass(frozen=True)
class NaiveBayes:
    """P(yes) ∏ P(bin | yes) against P(no) ∏ P(bin | no), with Laplace smoothing.

    `prior` is (P(no), P(yes)); for each feature, `cuts` are the borders of its bins and `likelihoods` (bins, 2) their
    probabilities in the two classes.
    """

    prior: Floats
    cuts: tuple[Floats, ...]
    likelihoods: tuple[Floats, ...]

    @classmethod
    def fit(cls, features: Floats, labels: Flags) -> "NaiveBayes":
        """Fit to features (N, F) and labels (N,) of candidates."""
        sizes = np.array([np.sum(~labels), np.sum(labels)], dtype=float)
        cuts = tuple(np.array(cut_points(column, labels)) for column in features.T)
        counts = (
            _counts(bins(column, borders), labels, len(borders) + 1)
            for column, borders in zip(features.T, cuts, strict=True)
        )
        likelihoods = tuple((count + 1) / (sizes + len(count)) for count in counts)
        return cls((sizes + 1) / (sizes.sum() + 2), cuts, likelihoods)

    def probability(self, features: Floats) -> Floats:
        """The probability of yes for features (N, F)."""
        weights = np.broadcast_to(self.prior, (len(features), 2)).copy()
        for column, cuts, likelihoods in zip(features.T, self.cuts, self.likelihoods, strict=True):
            weights *= likelihoods[bins(column, cuts)]
        probability: Floats = weights[:, 1] / weights.sum(axis=1)
        return probability

    def arrays(self) -> dict[str, Floats]:
        """The parameters, by name."""
        named = {"prior": self.prior}
        for number, (cuts, likelihoods) in enumerate(zip(self.cuts, self.likelihoods, strict=True)):
            named |= {f"cuts.{number}": cuts, f"likelihoods.{number}": likelihoods}
        return named

    @classmethod
    def from_arrays(cls, named: Mapping[str, Any], features: int) -> "NaiveBayes":
        """Restore from `arrays`; KeyError, TypeError or ValueError if they are invalid."""
        cuts = tuple(named[f"cuts.{number}"] for number in range(features))
        likelihoods = tuple(named[f"likelihoods.{number}"] for number in range(features))
        shapes = [(array.shape, (len(borders) + 1, 2)) for array, borders in zip(likelihoods, cuts, strict=True)]
        if named["prior"].shape != (2,) or any(borders.ndim != 1 for borders in cuts) or any(a != b for a, b in shapes):
            raise ValueError("inconsistent shapes")
        return cls(named["prior"], cuts, likelihoods)


def _counts(bin_of: Any, labels: Flags, size: int) -> Floats:  # an array of bins
    return np.stack([np.bincount(bin_of[labels == label], minlength=size) for label in (False, True)], axis=1).astype(
        float
    )
