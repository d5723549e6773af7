"""The labels of a vocabulary in one language by the hashes of their stems, so that all are found in a text at once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.text.analyzer import Analyzer
from keyseq.text.hashing import Hashes, phrase_hash
from keyseq.vocabularies.comparable import label_forms

REVISION = 1  # to be raised when labels get other stems than before


@dataclass(frozen=True)
class LabelIndex:
    """Hashes (K,) and the labels that have them, sorted by hash; a label that can be written two ways stands twice.

    Different labels may share a hash: whoever finds one compares its stems.
    """

    keys: Hashes  # (K,) sorted
    labels: NDArray[np.uint32]  # (K,)
    lengths: NDArray[np.uint8]  # numbers of words that labels have

    @classmethod
    def of(cls, labels: Iterable[tuple[int, str]], light: Analyzer) -> "LabelIndex":
        """Index labels, given with their numbers."""
        forms = [(number, form) for number, label in labels for form in label_forms(label, light)]
        keys = np.array([phrase_hash(form) for _, form in forms], dtype=np.uint32)
        numbers = np.array([number for number, _ in forms], dtype=np.uint32)
        order = np.lexsort((numbers, keys))
        lengths = sorted({min(len(form), 255) for _, form in forms})
        return cls(keys[order], numbers[order], np.array(lengths, dtype=np.uint8))

    def find(self, hashes: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The places among some hashes of those that labels have, and the labels; one pair for each label."""
        first = np.searchsorted(self.keys, hashes, "left")
        found = (
            np.flatnonzero(self.keys[np.minimum(first, len(self.keys) - 1)] == hashes) if len(self.keys) else first[:0]
        )
        counts = np.searchsorted(self.keys, hashes[found], "right") - first[found]
        entries = np.repeat(first[found], counts) + _counted_up(counts)
        return np.repeat(found, counts), self.labels[entries].astype(np.int64)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The index by the names of its arrays."""
        return {"keys": self.keys, "labels": self.labels, "lengths": self.lengths, "revision": np.array([REVISION])}

    @classmethod
    def from_arrays(cls, named: Mapping[str, NDArray[Any]]) -> "LabelIndex":
        """Rebuild what `arrays` gave; KeyError or ValueError if these are others, or of another revision."""
        if named["revision"].tolist() != [REVISION]:
            raise ValueError("an index of another version")
        index = cls(named["keys"], named["labels"], named["lengths"])
        if len(index.keys) != len(index.labels) or (index.keys[1:] < index.keys[:-1]).any():
            raise ValueError("an index whose parts do not fit together")
        return index


def _counted_up(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """0, 1, … for each count, one after the other."""
    starts = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) - np.repeat(starts, counts)
