"""Shingles: a text as the set of hashes of its word 5-grams, to find copies however they are typeset."""

import zlib
from typing import TYPE_CHECKING

from keyseq.text.tokenize import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LENGTH = 5  # words of a shingle: unrelated texts share shorter n-grams
SAMPLED = 4  # a sketch holds one shingle in this many

_MARKS = frozenset("_<>,().'")
_MULTIPLIER = 0x9E3779B97F4A7C15  # odd, so that no word's bits are lost


class _Hashes(dict[str, int]):
    """Hashes of words that are the same in every process, unlike Python's."""

    def __missing__(self, word: str) -> int:
        if len(self) > 1_000_000:
            self.clear()
        self[word] = number = zlib.crc32(word.encode()) + 1
        return number


_hashes = _Hashes()


def plain_words(text: str) -> list[str]:
    """The words of a text by the published tokenizer, without punctuation, all numbers equal."""
    return [word for word in words(text) if word not in _MARKS]


def shingles(text: str) -> "NDArray[np.uint64]":
    """The sorted unique hashes of a text's word 5-grams; a shorter text is a single n-gram."""
    import numpy as np

    numbers = np.fromiter(map(_hashes.__getitem__, plain_words(text)), dtype=np.uint64)
    if not len(numbers):
        return numbers
    runs = np.zeros(max(1, len(numbers) - LENGTH + 1), dtype=np.uint64)
    for place in range(min(LENGTH, len(numbers))):
        runs = (runs + numbers[place : place + len(runs)]) * np.uint64(_MULTIPLIER)
        runs ^= runs >> np.uint64(29)
    return np.unique(runs)


def sketch(runs: "NDArray[np.uint64]") -> "NDArray[np.uint64]":
    """A fixed fraction of the shingles, selected by hash, and one hash of the whole set.

    Unlike a MinHash signature it also finds a text within a longer one (FracMinHash, Irber et al. 2022); the
    last number finds equal texts too short to have a selected shingle.
    """
    import numpy as np

    mixed = runs * np.uint64(_MULTIPLIER)
    whole = np.uint64(zlib.crc32(runs.tobytes())) | np.uint64(1 << 63)
    return np.append(runs[(mixed >> np.uint64(40)) % np.uint64(SAMPLED) == 0], whole)


def alike(one: "NDArray[np.uint64]", other: "NDArray[np.uint64]") -> float:
    """The overlap coefficient: the fraction of the smaller set that the other contains."""
    import numpy as np

    smaller = min(len(one), len(other))
    return len(np.intersect1d(one, other, assume_unique=True)) / smaller if smaller else 0.0
