"""CountedKeyphrase profiles: which terms speak for each known keyphrase, and how much."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keyseq.retrieval.terms import DocumentTerms
from keyseq.text.hashing import Hashes, find

Floats = NDArray[np.float32]
STEPS = 127  # of a stored weight, up to the largest of its label


@dataclass(frozen=True, kw_only=True)
class Profiles:
    """Labels with sparse weights over terms, stored by term: a document's scores are one sparse product.

    The labels of term i and their weights are those from `offsets[i]` to `offsets[i + 1]`; a weight is a share of
    its label's `scale`. `idf` weighs a document's terms.
    """

    terms: Hashes  # (F,) sorted
    idf: NDArray[np.float16]  # (F,)
    offsets: NDArray[np.uint32]  # (F + 1,)
    labels: NDArray[np.uint16] | NDArray[np.uint32]  # (W,)
    weights: NDArray[np.int8]  # (W,)
    scale: Floats  # (L,)
    keys: Hashes  # (L,) of the labels' stems
    words: Hashes  # the words of all labels in a row
    word_offsets: NDArray[np.uint32]  # (L + 1,)

    def check(self, labels: int) -> None:
        """ValueError unless all places are within bounds, for so many labels."""
        sound = (
            len(self.scale) == len(self.keys) == len(self.word_offsets) - 1 == labels
            and len(self.idf) == len(self.terms) == len(self.offsets) - 1
            and len(self.labels) == len(self.weights) == self.offsets[-1]
            and self.labels.max(initial=0) < max(1, labels)
            and (self.offsets[1:] >= self.offsets[:-1]).all()
            and self.word_offsets[-1] == len(self.words)
        )
        if not sound:
            raise ValueError("profiles whose parts do not fit together")

    def vector(self, terms: DocumentTerms) -> tuple[NDArray[np.int64], Floats]:
        """The places of a document's known terms, and its TF-IDF over them, of length 1."""
        places = find(self.terms, terms.hashes)
        known = places >= 0
        places = places[known]
        values = ((1 + np.log(terms.counts[known])) * self.idf[places]).astype(np.float32)
        return places, values / max(float(np.sqrt(values @ values)), 1e-9)

    def scores(self, terms: DocumentTerms) -> Floats:
        """The score of every label (L,)."""
        places, values = self.vector(terms)
        starts, ends = self.offsets[places].astype(np.int64), self.offsets[places + 1].astype(np.int64)
        rows = ranges(starts, ends)
        by_label = np.bincount(
            self.labels[rows], np.repeat(values, ends - starts) * self.weights[rows], minlength=len(self.scale)
        )
        return (by_label * self.scale).astype(np.float32)

    def speaking(self, terms: DocumentTerms, label: int) -> Hashes:
        """The terms of a document that speak for a label, the strongest first."""
        places, values = self.vector(terms)
        starts, ends = self.offsets[places].astype(np.int64), self.offsets[places + 1].astype(np.int64)
        rows = ranges(starts, ends)
        own = self.labels[rows] == label
        parts = (np.repeat(values, ends - starts) * self.weights[rows])[own]
        order = np.argsort(-parts, kind="stable")
        speaking = np.repeat(places, ends - starts)[own][order][parts[order] > 0]
        found: Hashes = self.terms[speaking]
        return found

    def find(self, keys: Hashes) -> NDArray[np.int64]:
        """The label of each phrase, -1 where it is none."""
        order, ordered = self._ordered
        places = find(ordered, keys)
        return np.where(places >= 0, order[places], -1)

    def words_of(self, label: int) -> Hashes:
        """The stems of a label."""
        return self.words[self.word_offsets[label] : self.word_offsets[label + 1]]

    @cached_property
    def _ordered(self) -> tuple[NDArray[np.int64], Hashes]:
        order = np.argsort(self.keys)
        return order, self.keys[order]


def ranges(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """All numbers of several ranges, one range after the other."""
    sizes = ends - starts
    total = int(sizes.sum())
    shifts = np.repeat(starts - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) if total else starts[:0]
    return np.arange(total) + shifts
