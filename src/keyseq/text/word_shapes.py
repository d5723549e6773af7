"""The shapes of words: how long they are, and whether they have capitals, capitals alone, or digits."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from keyseq.text.stem import LONGEST_WORD, MEMO_SIZE


class _Shapes(dict[str, int]):
    """The shape of each word as one number: eight times its characters, 4 for capitals alone, 2 for a capital, 1 for a
    digit; bounded."""

    def __missing__(self, word: str) -> int:
        capital = word != word.lower()
        alone = capital and len(word) > 1 and word.isupper()
        shape = 8 * len(word) + 4 * alone + 2 * capital + any(map(str.isdigit, word))
        if len(word) <= LONGEST_WORD:  # anything longer is hardly met again
            if len(self) >= MEMO_SIZE:
                self.clear()
            self[word] = shape
        return shape


_shapes = _Shapes()


def word_shapes(words: Sequence[str]) -> NDArray[np.float64]:
    """Of each word (T, 4): its characters, whether it has a capital, a digit, capitals alone."""
    shapes = np.fromiter(map(_shapes.__getitem__, words), dtype=np.int64, count=len(words))
    columns = np.empty((4, len(words)))
    columns[:] = shapes >> 3, shapes >> 1 & 1, shapes & 1, shapes >> 2 & 1
    return columns.T
