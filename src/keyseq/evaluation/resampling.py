"""Resampled scores: bootstrap samples of a test set, and random swaps of two systems' outputs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keyseq.errors import KeyseqError
from keyseq.evaluation.metrics import Floats
from keyseq.evaluation.scoring import Scores

Progress = Callable[[Iterable[Any], str, int], Iterable[Any]]

BLOCK = 2_000_000  # numbers in memory at a time, 16 MB, for any size of test set


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """The number of samples, the seed, and the confidence level."""

    samples: int = 10_000
    seed: int = 12345
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.samples < 1:
            raise KeyseqError(f"the number of samples must be at least 1, not {self.samples}")
        if self.seed < 0:
            raise KeyseqError(f"the seed must be 0 or more, not {self.seed}")
        if not 0 < self.level < 1:
            raise KeyseqError(f"the confidence level must lie between 0 and 1, not be {self.level}")


def unseen(items: Iterable[Any], _description: str, _total: int) -> Iterable[Any]:
    """Show no progress."""
    return items


def bootstrap(
    systems: Sequence[Scores], metrics: Sequence[str], resampling: Resampling, progress: Progress = unseen
) -> Floats:
    """Score systems on the same documents drawn with replacement: (systems, metrics, samples)."""
    documents = len(systems[0].ids)
    generator = np.random.default_rng(resampling.seed)
    statistics = [_Statistics(scores, metrics) for scores in systems]
    drawn = []
    for rows in _blocks(documents, resampling, progress, "bootstrap"):
        counts = _counts(generator, rows, documents)
        drawn.append([system.scores(counts @ system.table) for system in statistics])
    return np.concatenate(drawn, axis=-1)


def randomized(
    a: Scores, b: Scores, metrics: Sequence[str], resampling: Resampling, progress: Progress = unseen
) -> Floats:
    """Give the differences a - b after swapping their outputs of documents at random: (metrics, samples)."""
    documents = len(a.ids)
    generator = np.random.default_rng(resampling.seed)
    first, second = _Statistics(a, metrics), _Statistics(b, metrics)
    differences = []
    for rows in _blocks(documents, resampling, progress, "randomization"):
        swapped = generator.integers(2, size=(rows, documents), dtype=np.int8).astype(np.float64)
        moved = swapped @ (second.table - first.table)
        differences.append(first.scores(first.totals + moved) - second.scores(second.totals - moved))
    return np.concatenate(differences, axis=-1)


class _Statistics:
    """A system's statistics of several metrics side by side: one matrix product sums them all."""

    def __init__(self, scores: Scores, metrics: Sequence[str]) -> None:
        columns = [scores.statistics(metric) for metric in metrics]
        self._scores, self._metrics = scores, metrics
        self._borders = np.cumsum([part.shape[1] for part in columns])[:-1]
        self.table = np.hstack(columns)  # (N, K)
        self.totals = self.table.sum(axis=0)  # (K,)

    def scores(self, sums: Floats) -> Floats:
        """The scores of summed statistics: (R, K) → (metrics, R)."""
        parts = np.split(sums, self._borders, axis=1)
        return np.array([self._scores.from_sums(*pair) for pair in zip(self._metrics, parts, strict=True)])


def _blocks(documents: int, resampling: Resampling, progress: Progress, description: str) -> Iterator[int]:
    """Yield the sizes of blocks of samples."""
    at_once = max(1, BLOCK // documents)
    starts = range(0, resampling.samples, at_once)
    for start in progress(starts, description, len(starts)):
        yield min(at_once, resampling.samples - start)


def _counts(generator: np.random.Generator, rows: int, documents: int) -> Floats:
    """How often each document is in a bootstrap sample: (R, N)."""
    counts = np.empty((rows, documents))
    for row in counts:
        row[:] = np.bincount(generator.integers(documents, size=documents), minlength=documents)
    return counts
