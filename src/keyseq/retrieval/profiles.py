"""Profiles of known keyphrases: sparse weights over the terms that predict each keyphrase."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.retrieval.terms import DocumentTerms
from keyseq.text.hashing import Hashes, find, laid_out

Floats = NDArray[np.float32]
STEPS = 127  # of a stored weight, up to the largest of its label
BITS = 16
_LAST_BITS = np.uint32((1 << BITS) - 1)


class Contributions(NamedTuple):
    """The contributions of the known terms (M,) of a document to labels (W,), term by term: `counts` of them each."""

    terms: Hashes  # (M,)
    counts: NDArray[np.int64]  # (M,)
    labels: NDArray[np.uint16] | NDArray[np.uint32]  # (W,)
    values: Floats  # (W,) to be scaled by label

    def speaking(self, label: int) -> Hashes:
        """The terms that contribute to a label, the largest contribution first."""
        own = np.flatnonzero(self.labels == label)
        order = np.argsort(-self.values[own], kind="stable")
        strongest = own[order][self.values[own[order]] > 0]
        return self.terms[np.searchsorted(np.cumsum(self.counts), strongest, side="right")]


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

    def contributions(self, terms: DocumentTerms) -> Contributions:
        """The contribution of each term of a document to the labels that it has a weight for."""
        places, values = self.vector(terms)
        starts, ends = self.offsets[places].astype(np.int64), self.offsets[places + 1].astype(np.int64)
        rows = ranges(starts, ends)
        weighted = np.repeat(values, ends - starts) * self.weights[rows]
        return Contributions(self.terms[places], ends - starts, self.labels[rows], weighted)

    def scores(self, terms: DocumentTerms) -> Floats:
        """The score of every label (L,)."""
        return self.summed(self.contributions(terms))

    def summed(self, contributions: Contributions) -> Floats:
        """The score of every label (L,), the sum of the contributions of terms."""
        by_label = np.bincount(contributions.labels, contributions.values, minlength=len(self.scale))
        return (by_label * self.scale).astype(np.float32)

    def find(self, keys: Hashes) -> NDArray[np.int64]:
        """The label of each phrase, -1 if it is not a label."""
        order, ordered = self._ordered
        places = find(ordered, keys)
        return np.where(places >= 0, order[places], -1)

    def spelled_by(self, words: Hashes) -> NDArray[np.int64]:
        """The labels of two or more words that are all among these, which are sorted."""
        table = np.zeros(1 << BITS, dtype=bool)  # most labels fail by the last bits of their first two words already
        table[words & _LAST_BITS] = True
        several, first, second = self._beginnings
        places = np.flatnonzero(table[first])
        labels = several[places[table[second[places]]]]
        lengths = self.word_offsets[labels + 1] - self.word_offsets[labels]
        laid = self.words_of(labels, int(lengths.max(initial=0)))
        spelled: NDArray[np.int64] = labels[((laid == 0) | (find(words, laid) >= 0)).all(axis=1)]
        return spelled

    @cached_property
    def _beginnings(self) -> tuple[NDArray[np.int64], NDArray[np.uint16], NDArray[np.uint16]]:
        """The labels of two or more words, and the last bits of the first and of the second word of each."""
        starts = self.word_offsets[:-1].astype(np.int64)
        several = np.flatnonzero(self.word_offsets[1:] - starts > 1)
        first, second = (self.words[starts[several] + place].astype(np.uint16) for place in (0, 1))
        return several, first, second

    def words_of(self, labels: NDArray[np.int64], most: int) -> Hashes:
        """The stems of labels, up to so many, with 0 after the last (N, most)."""
        starts = self.word_offsets[labels].astype(np.int64)
        return laid_out(self.words, starts, self.word_offsets[labels + 1] - starts, most)

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
