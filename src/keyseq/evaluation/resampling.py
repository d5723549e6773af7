"""A test set drawn again and again: the scores that systems would have on it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from keyseq.errors import KeyseqError
from keyseq.evaluation.metrics import Floats
from keyseq.evaluation.scoring import Scores

Progress = Callable[[Iterable[Any], str, int], Iterable[Any]]

BLOCK = 2_000_000  # numbers held at once, 16 MB, however large the test set


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How often to draw, from which seed, and how wide the intervals are."""

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
    drawn = [
        [[scores.aggregate(metric, counts) for metric in metrics] for scores in systems]
        for rows in _blocks(documents, resampling, progress, "bootstrap")
        for counts in [_drawn(generator, rows, documents)]
    ]
    return np.concatenate(drawn, axis=-1)


def _drawn(generator: np.random.Generator, rows: int, documents: int) -> Floats:
    """How often each document is in a sample of as many as there are: (R, N)."""
    counts = np.empty((rows, documents))
    for row in counts:
        row[:] = np.bincount(generator.integers(documents, size=documents), minlength=documents)
    return counts


def randomized(
    a: Scores, b: Scores, metrics: Sequence[str], resampling: Resampling, progress: Progress = unseen
) -> Floats:
    """Give the differences a - b after swapping their outputs of documents at random: (metrics, samples)."""
    documents = len(a.ids)
    # one table of both, in which a sample takes each document either from a or from b
    both = replace(
        a, ids=a.ids + b.ids, values={name: np.concatenate([a.values[name], b.values[name]]) for name in a.values}
    )
    generator = np.random.default_rng(resampling.seed)
    differences = []
    for rows in _blocks(2 * documents, resampling, progress, "randomization"):
        kept = generator.integers(2, size=(rows, documents), dtype=np.int8).astype(np.float64)
        first = np.hstack([kept, 1 - kept])
        differences.append([both.aggregate(metric, first) - both.aggregate(metric, 1 - first) for metric in metrics])
    return np.concatenate(differences, axis=-1)


def _blocks(columns: int, resampling: Resampling, progress: Progress, description: str) -> Iterator[int]:
    """Yield how many samples to hold at once, until all are drawn."""
    at_once = max(1, BLOCK // columns)
    starts = range(0, resampling.samples, at_once)
    for start in progress(starts, description, len(starts)):
        yield min(at_once, resampling.samples - start)
