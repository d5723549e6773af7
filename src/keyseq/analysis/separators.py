"""The similarity of the states that emit separators, which the orthogonal penalty reduces (equation 3)."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def cosines(states: NDArray[np.floating]) -> Floats:
    """Pairwise cosines of states: (n, H) → (n, n); 0 with a zero state."""
    norms = np.linalg.norm(states, axis=1, keepdims=True)
    units = np.divide(states, norms, out=np.zeros(states.shape), where=norms > 0)
    product: Floats = units @ units.T
    return product


def off_diagonal(matrix: Floats) -> float:
    """The mean off the diagonal; NaN for a matrix without such entries."""
    beside = matrix[~np.eye(len(matrix), dtype=bool)]
    return float(beside.mean()) if beside.size else float("nan")


def mean_matrix(matrices: Iterable[Floats], size: int) -> tuple[Floats, NDArray[np.int64]]:
    """The mean over documents of the cosine of the i-th and the j-th separator, and how many documents have both.

    Both are (size, size); NaN where no document has that many separators.
    """
    total, counts = np.zeros((size, size)), np.zeros((size, size), dtype=np.int64)
    for matrix in matrices:
        n = min(size, len(matrix))
        total[:n, :n] += matrix[:n, :n]
        counts[:n, :n] += 1
    return np.divide(total, counts, out=np.full_like(total, np.nan), where=counts > 0), counts
