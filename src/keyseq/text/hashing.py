"""Stems and phrases as numbers of 32 bits, so that whole texts are handled as arrays."""

import zlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

MULTIPLIER = 0x9E3779B1  # odd, so that no phrase of two words is lost in a third
LONGEST = 5  # words of a run that can be a candidate
BREAK = np.uint32(0)  # a punctuation mark, which no n-gram spans

Hashes = NDArray[np.uint32]
Number = TypeVar("Number", bound=np.generic)
_MEMO_SIZE = 1_000_000


class _StemNumbers(dict[str, int]):
    """The number of each stem, computed when it is first met; bounded."""

    def __missing__(self, stem: str) -> int:
        if len(self) >= _MEMO_SIZE:
            self.clear()
        value = self[stem] = (zlib.crc32(stem.encode()) or 1) if any(map(str.isalnum, stem)) else int(BREAK)
        return value


_numbers = _StemNumbers()


def stem_hashes(stems: Iterable[str]) -> Hashes:
    """A number for each stem; marks are `BREAK`."""
    return np.fromiter(map(_numbers.__getitem__, stems), dtype=np.uint32)


def phrase_hash(stems: Sequence[str]) -> int:
    """The number of a phrase; that of a single stem is the stem's own."""
    value = 0
    for stem in stems:
        value = (value * MULTIPLIER + _numbers[stem]) & 0xFFFFFFFF
    return value


def phrase_hashes(words: Hashes, lengths: NDArray[np.int64]) -> Hashes:
    """The numbers of phrases whose first `lengths` (N,) of these words (N, L) are theirs, as `phrase_hash` has them."""
    value = np.zeros(len(words), dtype=np.uint32)
    for place in range(words.shape[1]):
        value = np.where(lengths > place, value * np.uint32(MULTIPLIER) + words[:, place], value)
    return value


def laid_out(hashes: Hashes, starts: NDArray[np.int64], lengths: NDArray[np.int64], width: int) -> Hashes:
    """The given number of hashes from each start, in rows (N, width) padded with 0."""
    columns = np.arange(width)
    rows = np.zeros((len(starts), width), dtype=np.uint32)
    inside = columns < lengths[:, None]
    rows[inside] = hashes[(starts[:, None] + columns)[inside]]
    return rows


def run_hashes(hashes: Hashes, length: int) -> Hashes:
    """The numbers of all runs of `length` words (N - length + 1), as `phrase_hash` has them."""
    value = hashes[: max(0, len(hashes) - length + 1)].copy()
    for offset in range(1, length):
        value *= np.uint32(MULTIPLIER)
        value += hashes[offset : offset + len(value)]
    return value


def distinct(numbers: NDArray[Number]) -> NDArray[Number]:
    """The different numbers, sorted.

    Counts are asked for since without them NumPy hashes rather than sorts, which takes ten times as long, and imports
    its masked arrays (10 ms).
    """
    found: NDArray[Number] = np.unique(numbers, return_counts=True)[0]
    return found


def find(keys: Hashes, wanted: Hashes) -> NDArray[np.int64]:
    """The place of each number among sorted keys, -1 where it is not there."""
    if not len(keys):
        return np.full(np.shape(wanted), -1)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, places, -1)
