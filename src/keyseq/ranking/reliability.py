"""The calibration of probabilities: reliability by bin, and the expected calibration error."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BINS = 10


@dataclass(frozen=True)
class Bin:
    """A bin of predictions: their number, mean probability, and the observed share of positives."""

    count: int
    predicted: float
    observed: float


def reliability(probabilities: NDArray[np.float64], outcomes: NDArray[np.bool_], bins: int = BINS) -> list[Bin]:
    """Predictions in bins of equal width, empty ones left out."""
    which = np.minimum((probabilities * bins).astype(int), bins - 1)
    return [
        Bin(int(own.sum()), float(probabilities[own].mean()), float(outcomes[own].mean()))
        for own in (which == number for number in range(bins))
        if own.any()
    ]


def calibration_error(bins: Iterable[Bin]) -> float:
    """The expected calibration error: the mean difference of predicted and observed frequency, weighted by counts."""
    known = list(bins)
    total = sum(one.count for one in known)
    return sum(one.count * abs(one.predicted - one.observed) for one in known) / total if total else 0.0
