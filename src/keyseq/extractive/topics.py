"""Topics of a text: clusters of candidates that share words, and the proximity of candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keyseq.config.fields import setting
from keyseq.extractive.candidates import Candidate
from keyseq.extractive.graph import MOST_ITERATIONS, WalkSettings
from keyseq.extractive.reading import Reading

MOST_CANDIDATES = 1_000  # of a text, in its order: time and memory grow with their square
MOST_PLACES = 4_000

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class TopicSettings(WalkSettings):
    """Topic clustering and PageRank."""

    apart: float = setting(0.74, "maximum Jaccard distance at which clusters are merged", least=0)
    tolerance: float = setting(1e-6, "convergence threshold: mean change of a node's score", least=0)


def topics(candidates: Sequence[Candidate], apart: float) -> list[list[int]]:
    """Clusters of candidates by index: hierarchical clustering with average linkage.

    The distance is the Jaccard distance of the sets of stems; clusters are merged up to the distance `apart`.
    """
    distances = _distances(candidates)
    groups = [[number] for number in range(len(candidates))]
    np.fill_diagonal(distances, np.inf)
    while len(groups) > 1:
        one, other = sorted(divmod(int(distances.argmin()), len(candidates)))
        if distances[one, other] > apart:
            break
        sizes = len(groups[one]), len(groups[other])
        mean = (sizes[0] * distances[one] + sizes[1] * distances[other]) / sum(sizes)
        mean[one] = np.inf
        distances[one] = distances[:, one] = mean
        distances[other] = distances[:, other] = np.inf
        groups[one] += groups[other]
        groups[other] = []
    return [sorted(group) for group in groups if group]


def _distances(candidates: Sequence[Candidate]) -> Floats:
    """Pairwise Jaccard distances of the stems of candidates."""
    stems = {stem: number for number, stem in enumerate({stem for one in candidates for stem in one.stems})}
    has = np.zeros((len(candidates), len(stems)))
    for row, one in zip(has, candidates, strict=True):
        row[[stems[stem] for stem in one.stems]] = 1
    shared = has @ has.T
    sizes = has.sum(axis=1)
    distances: Floats = 1 - shared / (sizes[:, None] + sizes - shared)
    return distances


def nearness(reading: Reading, groups: Sequence[Sequence[Candidate]]) -> Floats:
    """The proximity of each pair of clusters: the sum of 1/gap over pairs of positions; adjacent phrases have gap 1."""
    places = sorted(
        (reading.starts[first], reading.starts[last], number)
        for number, group in enumerate(groups)
        for one in group
        for first, last in one.places
    )[:MOST_PLACES]
    starts, ends, owners = np.array(places, dtype=int).reshape(-1, 3).T
    gaps = np.maximum(starts[None, :] - ends[:, None], 0) + 1.0
    size = len(groups)
    pairs = (owners[:, None] * size + owners[None, :]).ravel()
    one_way = np.bincount(pairs, np.triu(1 / gaps, 1).ravel(), minlength=size * size).reshape(size, size)
    sums: Floats = (one_way + one_way.T).astype(float)
    np.fill_diagonal(sums, 0)
    return sums


def weighted_rank(weights: Floats, settings: WalkSettings) -> Floats:
    """The PageRank of a graph in which `weights[i, j]` is the edge from i to j; the sum is 1.

    Restarts are uniform, also after nodes without outgoing edges.
    """
    size, damping = len(weights), settings.damping
    totals = weights.sum(axis=1)
    onward = np.divide(weights, totals[:, None], out=np.full_like(weights, 1 / max(1, size)), where=totals[:, None] > 0)
    scores = np.full(size, 1 / max(1, size))
    for _ in range(MOST_ITERATIONS):
        before, scores = scores, (1 - damping) / max(1, size) + damping * scores @ onward
        if np.abs(scores - before).sum() < settings.tolerance * size:
            break
    return scores
