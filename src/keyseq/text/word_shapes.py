"""The shapes of words: how long they are, and whether they have capitals or digits."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from keyseq.text.stem import LONGEST_WORD, MEMO_SIZE


class _Shapes(dict[str, int]):
    """The shape of each word as one number: four times its characters, 2 for a capital, 1 for a digit; bounded."""

    def __missing__(self, word: str) -> int:
        shape = 4 * len(word) + 2 * (word != word.lower()) + any(map(str.isdigit, word))
        if len(word) <= LONGEST_WORD:  # anything longer is hardly met again
            if len(self) >= MEMO_SIZE:
                self.clear()
            self[word] = shape
        return shape


_shapes = _Shapes()


def word_shapes(words: Sequence[str]) -> NDArray[np.float64]:
    """Of each word (T, 3): its characters, whether it has a capital, whether it has a digit."""
    shapes = np.fromiter(map(_shapes.__getitem__, words), dtype=np.int64, count=len(words))
    columns = np.empty((3, len(words)))
    columns[:] = shapes >> 2, shapes >> 1 & 1, shapes & 1
    return columns.T
