"""Whether states that emit the same word form clusters: t-SNE, silhouette and purity."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from keyseq.imports import require

EXTRA = "analysis"
NEIGHBOURS = 10

Floats = NDArray[np.float32]


def embedded(states: Floats, seed: int) -> Floats:
    """States (N, H) in two dimensions (N, 2), by t-SNE with the paper's settings.

    These were scikit-learn's defaults at the time: perplexity 30, learning rate 200, 1,000 iterations, random
    initialisation. With few states, the perplexity is reduced below their number.
    """
    manifold = require("sklearn.manifold", EXTRA)
    if len(states) < 2:
        return np.zeros((len(states), 2), dtype=np.float32)
    tsne = manifold.TSNE(
        perplexity=min(30.0, (len(states) - 1) / 3),
        learning_rate=200.0,
        max_iter=1000,
        init="random",
        random_state=seed,
    )
    # on one thread: several sum in varying order, and spin when cores are busy
    with require("threadpoolctl", EXTRA).threadpool_limits(1):
        placed: Floats = tsne.fit_transform(np.ascontiguousarray(states, dtype=np.float32))
    return placed


def frequent(words: Sequence[str], number: int) -> list[str]:
    """The most frequent words, ties in alphabetical order."""
    counts = Counter(words)
    return sorted(counts, key=lambda word: (-counts[word], word))[:number]


def silhouette(states: Floats, words: Sequence[str]) -> float:
    """The mean silhouette of states labelled by the word that they emit, −1 to 1.

    NaN without two words, or where no word occurs twice.
    """
    labels = np.unique(np.array(words), return_inverse=True)[1] if words else np.array([], dtype=int)
    if not 2 <= len(set(labels.tolist())) < len(labels):
        return float("nan")
    return float(require("sklearn.metrics", EXTRA).silhouette_score(states, labels))


def purity(states: Floats, words: Sequence[str], neighbours: int = NEIGHBOURS) -> float:
    """The mean fraction of a state's nearest neighbours that emit the same word; NaN without two states."""
    if len(words) < 2:
        return float("nan")
    search = require("sklearn.neighbors", EXTRA).NearestNeighbors(n_neighbors=min(neighbours, len(words) - 1))
    nearest = search.fit(states).kneighbors(return_distance=False)  # (N, k), a state is not its own neighbour
    labels = np.array(words)
    return float((labels[nearest] == labels[:, None]).mean())


def chance(words: Sequence[str]) -> float:
    """The expected purity of randomly placed states; NaN without two states."""
    total = len(words)
    if total < 2:
        return float("nan")
    return sum(count * (count - 1) for count in Counter(words).values()) / (total * (total - 1))
