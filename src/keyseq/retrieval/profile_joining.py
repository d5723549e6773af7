"""Profiles of two corpora as one: the labels of both, the weights of the second reduced or not."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.retrieval.profile_fitting import Weights, by_cell, by_term
from keyseq.retrieval.profiles import Profiles, ranges
from keyseq.text.hashing import Hashes, distinct, find

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


class LabelledProfiles(NamedTuple):
    """Profiles and the texts of their labels."""

    profiles: Profiles
    labels: list[str]

    def of(self, numbers: Integers) -> "LabelledProfiles":
        """Some of the labels, as if there were no others."""
        whole = self.profiles
        renumbered = np.full(len(whole.keys), -1)
        renumbered[numbers] = np.arange(len(numbers))
        weights = _weights(whole, whole.terms, whole.idf.astype(np.float32))
        kept = renumbered[weights.labels] >= 0
        labels = renumbered[weights.labels[kept]]
        order = np.argsort(labels, kind="stable")
        words, sizes = _words(whole, numbers)
        profiles = by_term(
            whole.terms,
            whole.idf.astype(np.float32),
            Weights(labels[order], weights.places[kept][order], weights.values[kept][order]),
            whole.keys[numbers],
            words,
            sizes,
        )
        return LabelledProfiles(profiles, [self.labels[number] for number in numbers.tolist()])


def joined(own: LabelledProfiles, other: LabelledProfiles, weight: float) -> LabelledProfiles:
    """The labels of both, those of the first in front; a label of both has the sum of its weights.

    Terms are weighed as in the first corpus, where it has them; the weights of the second are changed so that its
    labels' scores stay in proportion. Before they are multiplied by `weight`, they are made as large as those of the
    first on average.
    """
    first, second = own.profiles, other.profiles
    terms = distinct(np.concatenate([first.terms, second.terms]))
    idf = _idf(terms, first, second)
    known = first.find(second.keys)
    new = np.flatnonzero(known < 0)
    numbers = known.copy()
    numbers[new] = len(first.keys) + np.arange(len(new))
    mine, others = _weights(first, terms, idf), _weights(second, terms, idf)
    scale = weight * _size(mine) / max(_size(others), 1e-9)
    added = Weights(numbers[others.labels], others.places, others.values * np.float32(scale))
    words, sizes = _words(second, new)
    profiles = by_term(
        terms,
        idf,
        _summed(mine, added),
        np.concatenate([first.keys, second.keys[new]]),
        np.concatenate([first.words, words]),
        np.concatenate([np.diff(first.word_offsets.astype(int)), sizes]),
    )
    return LabelledProfiles(profiles, [*own.labels, *(other.labels[number] for number in new.tolist())])


def _words(profiles: Profiles, labels: Integers) -> tuple[Hashes, Integers]:
    """The words of some labels in a row, and how many each has."""
    offsets = profiles.word_offsets.astype(int)
    return profiles.words[ranges(offsets[labels], offsets[labels + 1])], np.diff(offsets)[labels]


def _idf(terms: Hashes, first: Profiles, second: Profiles) -> Floats:
    idf = np.zeros(len(terms), dtype=np.float32)
    idf[find(terms, second.terms)] = second.idf
    idf[find(terms, first.terms)] = first.idf
    return idf


def _weights(profiles: Profiles, terms: Hashes, idf: Floats) -> Weights:
    """The weights of profiles over other terms; those of a term that is weighed differently there are changed so."""
    place = np.repeat(np.arange(len(profiles.terms)), np.diff(profiles.offsets.astype(int)))
    labels, places = profiles.labels.astype(int), find(terms, profiles.terms)[place]
    ratio = profiles.idf.astype(np.float32)[place] / np.maximum(idf[places], 1e-6)
    return Weights(labels, places, profiles.weights * profiles.scale[labels] * ratio)


def _size(weights: Weights) -> float:
    """The length of a label's weights, on average."""
    squares = np.bincount(weights.labels, weights.values.astype(float) ** 2)
    return float(np.sqrt(squares[squares > 0]).mean()) if (squares > 0).any() else 0.0


def _summed(first: Weights, second: Weights) -> Weights:
    """Both, sorted by term; what stands in both is added up."""
    labels, places = (np.concatenate(pair) for pair in ((first.labels, second.labels), (first.places, second.places)))
    values = np.concatenate([first.values, second.values])
    if not len(values):
        return Weights(labels, places, values)
    cells = by_cell(places, labels)
    order = np.argsort(cells, kind="stable")
    cells, values = cells[order], values[order]
    begins = np.flatnonzero(np.concatenate([[True], cells[1:] != cells[:-1]]))
    own = order[begins]
    return Weights(labels[own], places[own], np.add.reduceat(values, begins).astype(np.float32))
