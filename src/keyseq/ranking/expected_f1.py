"""The number of phrases: the first k that maximise the expected F-score under calibrated probabilities."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MOST = 10  # maximum phrases of a list
BEYOND = 40  # maximum missed keyphrases considered


def expected_f_scores(
    probabilities: Sequence[float] | Floats, others: float = 0.0, beta: float = 1.0, longest: int = MOST
) -> Floats:
    """The expected F-beta of the first k phrases, for k = 1 … K, up to `longest`.

    Phrases are keyphrases independently of each other, with these probabilities from the highest; `others` is the
    expected number of keyphrases that are missing among them. With h of the first k right and m missed,
    F = (1 + β²) h / (k + β² (h + m)), which is summed over the distributions of h and m.
    """
    return _expected(probabilities, others, (beta,), longest)[:, 0]


def best_count(
    probabilities: Sequence[float] | Floats, others: float = 0.0, beta: float = 1.0, longest: int = MOST
) -> int:
    """The number of phrases with the largest expected F-beta; 0 without candidates."""
    return best_counts(probabilities, others, (beta,), longest)[0]


def best_counts(
    probabilities: Sequence[float] | Floats, others: float, betas: tuple[float, ...], longest: int = MOST
) -> list[int]:
    """The same for several values of beta."""
    scores = _expected(probabilities, others, betas, longest)
    return (np.argmax(scores, axis=0) + 1).tolist() if len(scores) else [0] * len(betas)


def _expected(probabilities: Sequence[float] | Floats, others: float, betas: tuple[float, ...], longest: int) -> Floats:
    """The expected F-betas of the first k phrases (K, B)."""
    chances = np.asarray(probabilities, dtype=float)
    most = min(longest, len(chances))
    missed = _missed(chances, most, others)
    right = np.ones(1)
    scores = np.zeros((most, len(betas)))
    for count in range(1, most + 1):
        right = np.convolve(right, [1 - chances[count - 1], chances[count - 1]])
        scores[count - 1] = right @ _f_scores(count, betas) @ missed[count]
    return scores


@lru_cache(128)
def _f_scores(count: int, betas: tuple[float, ...]) -> Floats:
    """The F-betas of a number of phrases (B, hits, missed), given how many are right and how many are missed."""
    hits, squared = np.arange(count + 1)[:, None], np.square(betas)[:, None, None]
    table: Floats = (1 + squared) * hits / (count + squared * (hits + np.arange(BEYOND + 1)))
    return table


def _missed(chances: Floats, most: int, others: float) -> list[Floats]:
    """The distribution of the number of keyphrases that are not among the first k, for k = 0 … most."""
    tail = _poisson(others + float(chances[most:].sum()))
    found = [tail]
    for chance in chances[:most][::-1].tolist():
        more = tail * chance  # one keyphrase more, those of more than `BEYOND` counted there
        tail = tail * (1 - chance)
        tail[1:] += more[:-1]
        tail[-1] += more[-1]
        found.append(tail)
    return found[::-1]


def _poisson(mean: float) -> Floats:
    """The Poisson distribution; the probability of more than `BEYOND` is added there."""
    numbers = np.arange(1, BEYOND + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(max(mean, 1e-12)) - np.log(numbers))]) - mean
    distribution = np.exp(logs)
    distribution[-1] = max(0.0, 1 - distribution[:-1].sum())
    return distribution
