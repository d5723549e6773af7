"""Profiles fitted to a corpus: sums of TF-IDF vectors, then weights learnt against hard negatives of each label."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keyseq.config.fields import setting
from keyseq.data.parallel import Track, untracked
from keyseq.imports import require
from keyseq.retrieval.profiles import STEPS, Profiles, ranges
from keyseq.retrieval.terms import terms
from keyseq.retrieval.token_store import CountedKeyphrase, TokenStore
from keyseq.text.hashing import Hashes, distinct, find, phrase_hash, stem_hashes

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class ProfileSettings:
    """Hyperparameters of profiles."""

    least: int = setting(3, "minimum documents with a keyphrase for it to become a label", least=1)
    weights: int = setting(40, "number of terms per label", least=1)
    support: int = setting(100, "terms per label in the regression, before the largest weights are kept", least=1)
    growth: float = setting(
        0.0, "exponent by which the number of terms grows with a label's documents, over ten", least=0
    )
    prior: float = setting(0.0, "exponent by which a label's scores grow with its documents", least=0)
    learnt: bool = setting(True, "learn the weights by logistic regression against hard negatives")
    documents: int = setting(150, "maximum positive documents per label", least=1)
    negatives: int = setting(
        200, "maximum hard negatives per label: documents that it is wrongly retrieved for", least=0
    )
    seed: int = setting(3435, "random seed", least=0)


@dataclass(frozen=True)
class Vectors:
    """The TF-IDF vectors of all documents, each of length 1: document d has the values from `offsets[d]` on."""

    terms: Hashes  # (F,) sorted
    idf: Floats  # (F,)
    offsets: Integers  # (N + 1,)
    places: NDArray[np.int32]  # of the terms
    values: Floats

    def rows(self, documents: Integers) -> tuple[Integers, Integers]:
        """The entries of some documents, and the number in the row of each entry's document."""
        starts, ends = self.offsets[documents], self.offsets[documents + 1]
        return ranges(starts, ends), np.repeat(np.arange(len(documents)), ends - starts)


@dataclass(frozen=True)
class Weights:
    """Sparse weights (W,), sorted by label or by term: their terms' places and labels."""

    labels: Integers
    places: Integers
    values: Floats


def fit_profiles(
    store: TokenStore, settings: ProfileSettings, track: Track = untracked
) -> tuple[Profiles, list[CountedKeyphrase]]:
    """Fit profiles to a corpus; the labels are given from the most frequent on."""
    labels = [one for one in store.keyphrases if one.documents >= settings.least]
    keys = np.array([phrase_hash(one.stems) for one in labels], dtype=np.uint32)
    vectors = _vectors(store, track)
    documents, offsets = _documents_of(store, keys)
    weights = _sums(vectors, documents, offsets, settings, track)
    if settings.learnt:
        # thousands of small regressions: threads of the linear algebra would only wait for each other
        with require("threadpoolctl", "combined").threadpool_limits(1):
            weights = _learnt(vectors, weights, documents, offsets, settings, track)
    frequencies = np.diff(offsets)
    kept = _largest(weights, _sizes(frequencies, settings))
    values = kept.values * (frequencies[kept.labels] ** settings.prior).astype(np.float32)
    return _profiles(vectors, Weights(kept.labels, kept.places, values), labels, keys), labels


def _sizes(frequencies: Integers, settings: ProfileSettings) -> Integers:
    """How many terms each label keeps: the weights of rare labels are less certain, and less worth their space."""
    sizes = np.rint(settings.weights * (frequencies / USUAL) ** settings.growth)
    return np.clip(sizes, min(settings.weights, settings.support) / 2, settings.support).astype(int)


def _vectors(store: TokenStore, track: Track) -> Vectors:
    hashes, counts, sizes = [], [], []
    for words in track(store.documents(), "reading terms", len(store)):
        found = terms(words)
        hashes.append(found.hashes)
        counts.append(np.minimum(found.counts, 255).astype(np.uint8))
        sizes.append(len(found.hashes))
    every, times = np.concatenate(hashes), np.concatenate(counts)
    known, frequencies = np.unique(every, return_counts=True)
    least = 3 if len(store) >= 1000 else 2 if len(store) >= 100 else 1
    known, frequencies = known[frequencies >= least], frequencies[frequencies >= least]
    idf = np.log((len(store) + 1) / frequencies).astype(np.float32)
    places = find(known, every).astype(np.int32)
    owners = np.repeat(np.arange(len(sizes)), sizes)[places >= 0]
    values = (1 + np.log(times[places >= 0].astype(np.float32))) * idf[places[places >= 0]]
    norms = np.sqrt(np.bincount(owners, values**2, minlength=len(sizes))) + 1e-9
    offsets = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=len(sizes)))])
    return Vectors(known, idf, offsets, places[places >= 0], (values / norms[owners]).astype(np.float32))


def _documents_of(store: TokenStore, keys: Hashes) -> tuple[Integers, Integers]:
    """The documents of each label, one label after the other, and where those of each begin."""
    order = np.argsort(keys)
    places = find(keys[order], store.gold)
    owners = np.repeat(np.arange(len(store)), np.diff(store.gold_offsets))[places >= 0]
    labels = order[places[places >= 0]]
    by_label = np.argsort(labels, kind="stable")
    return owners[by_label], np.searchsorted(labels[by_label], np.arange(len(keys) + 1))


def _sums(vectors: Vectors, documents: Integers, offsets: Integers, settings: ProfileSettings, track: Track) -> Weights:
    """For each label the largest terms of the sum of its documents' vectors, of length 1."""
    chance = np.random.default_rng(settings.seed)
    buffer = np.zeros(len(vectors.terms), dtype=np.float32)
    labels, places, values = [], [], []
    count = len(offsets) - 1
    for label in track(range(count), "profiles", count):
        own = _drawn(documents[offsets[label] : offsets[label + 1]], 400, chance)
        entries, _ = vectors.rows(own)
        here = vectors.places[entries]
        np.add.at(buffer, here, vectors.values[entries])
        touched = distinct(here)
        sums = buffer[touched]
        buffer[touched] = 0
        if len(touched) > settings.support:
            largest = np.argpartition(-sums, settings.support)[: settings.support]
            touched, sums = touched[largest], sums[largest]
        labels.append(np.full(len(touched), label))
        places.append(touched)
        values.append(sums / max(float(np.sqrt(sums @ sums)), 1e-9))
    if not labels:
        return Weights(np.zeros(0, dtype=int), np.zeros(0, dtype=int), np.zeros(0, dtype=np.float32))
    return Weights(np.concatenate(labels), np.concatenate(places), np.concatenate(values))


def _learnt(
    vectors: Vectors, start: Weights, documents: Integers, offsets: Integers, settings: ProfileSettings, track: Track
) -> Weights:
    """A logistic regression for each label over its terms, which begins with their weights.

    The negatives are documents for which the label was retrieved though it is not theirs, and some at random.
    """
    wrong, wrong_offsets = _retrieved(vectors, start, offsets, track)
    chance = np.random.default_rng(settings.seed)
    bounds = np.searchsorted(start.labels, np.arange(len(offsets)))
    columns = np.full(len(vectors.terms), -1)
    values = np.zeros(len(start.values), dtype=np.float32)
    count = len(offsets) - 1
    for label in track(range(count), "learning weights", count):
        own = slice(bounds[label], bounds[label + 1])
        right = documents[offsets[label] : offsets[label + 1]]
        hard = np.setdiff1d(wrong[wrong_offsets[label] : wrong_offsets[label + 1]], right)
        easy = chance.integers(0, len(vectors.offsets) - 1, EASY)
        easy = easy[~np.isin(easy, right)]  # a frequent label's own documents are often drawn
        right, hard = _drawn(right, settings.documents, chance), _drawn(hard, settings.negatives, chance)
        rows = _dense(vectors, np.concatenate([right, hard, easy]), start.places[own], columns)
        gold = np.arange(len(rows)) < len(right)
        importance = np.where(np.arange(len(rows)) < len(right) + len(hard), 1.0, EASY_WEIGHT)
        values[own] = _regression(rows, gold, importance, start.values[own].astype(float) * SHARPNESS)
    return Weights(start.labels, start.places, values)


USUAL = 10  # documents of a label that keeps just `weights` terms, whatever their growth
EASY, EASY_WEIGHT = 30, 8.0  # documents at random, and what each counts for: they stand for all the rest
SHARPNESS = 12.0  # what a profile's weights are multiplied by to begin a regression with
RETRIEVED = 60_000  # documents for which labels are retrieved to find wrong ones
SHORTLIST = 40  # labels that are retrieved for each document
STEPS_OF_NEWTON = 3
_BIAS = -4.0


def _regression(
    rows: NDArray[np.float64], gold: NDArray[np.bool_], importance: NDArray[np.float64], start: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Newton's method from the start, to which a Gaussian prior holds the weights; the bias is left out."""
    weights = np.append(start, _BIAS)
    prior, strength = weights.copy(), np.append(np.full(len(start), 3.0), 1e-3)
    for _ in range(STEPS_OF_NEWTON):
        chances = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (importance * (chances - gold)) + strength * (weights - prior)
        curvature = (rows * (importance * chances * (1 - chances))[:, None]).T @ rows
        curvature[np.diag_indices_from(curvature)] += strength + 1e-6
        weights = weights - np.clip(np.linalg.solve(curvature, slope), -8, 8)
    return weights[:-1]


def _dense(vectors: Vectors, documents: Integers, support: Integers, columns: Integers) -> NDArray[np.float64]:
    """The documents' values of the terms of a label (D, S + 1), with 1 in the last column."""
    columns[support] = np.arange(len(support))
    entries, owners = vectors.rows(documents)
    at = columns[vectors.places[entries]]
    rows = np.zeros((len(documents), len(support) + 1))
    rows[owners[at >= 0], at[at >= 0]] = vectors.values[entries[at >= 0]]
    rows[:, -1] = 1
    columns[support] = -1
    return rows


def _retrieved(vectors: Vectors, weights: Weights, offsets: Integers, track: Track) -> tuple[Integers, Integers]:
    """For each label the documents that have it among their best, one label after the other."""
    few = _largest(weights, np.full(len(offsets) - 1, 25))
    order = np.argsort(few.places, kind="stable")
    labels, values = few.labels[order], few.values[order]
    bounds = np.searchsorted(few.places[order], np.arange(len(vectors.terms) + 1))
    count, prior = len(offsets) - 1, np.diff(offsets) ** 0.15
    size, best = min(SHORTLIST, count), []
    documents = np.arange(len(vectors.offsets) - 1)
    if len(documents) > RETRIEVED:
        documents = np.sort(np.random.default_rng(0).choice(documents, RETRIEVED, replace=False))
    for document in track(documents, "retrieving", len(documents)):
        own = slice(vectors.offsets[document], vectors.offsets[document + 1])
        starts, ends = bounds[vectors.places[own]], bounds[vectors.places[own] + 1]
        entries = ranges(starts, ends)
        scores = np.bincount(
            labels[entries], values[entries] * np.repeat(vectors.values[own], ends - starts), minlength=count
        )
        # a copy: what is cut off would stay in memory with a mere view
        best.append(np.argpartition(-scores * prior, size - 1)[:size].astype(np.int32))
    every = np.concatenate(best)
    by_label = np.argsort(every, kind="stable")
    return np.repeat(documents, size)[by_label], np.searchsorted(every[by_label], np.arange(count + 1))


def _largest(weights: Weights, counts: Integers) -> Weights:
    """The weights of largest absolute value, a given number per label."""
    order = np.lexsort((-np.abs(weights.values), weights.labels))
    starts = np.searchsorted(weights.labels[order], weights.labels[order])
    kept = np.sort(order[np.arange(len(order)) - starts < counts[weights.labels[order]]])
    return Weights(weights.labels[kept], weights.places[kept], weights.values[kept])


def _profiles(vectors: Vectors, weights: Weights, labels: Sequence[CountedKeyphrase], keys: Hashes) -> Profiles:
    words = [stem_hashes(one.stems) for one in labels]
    sizes = np.array([len(one) for one in words], dtype=int)
    return by_term(vectors.terms, vectors.idf, weights, keys, np.concatenate(words) if words else keys[:0], sizes)


def by_term(terms: Hashes, idf: Floats, weights: Weights, keys: Hashes, words: Hashes, sizes: Integers) -> Profiles:
    """The weights by term, in small numbers; terms that no label has are left out.

    `keys` are those of the labels (L,), `words` all their words in a row, `sizes` how many of these each has.
    """
    is_used = np.zeros(len(terms), dtype=bool)
    is_used[weights.places] = True
    used, places = np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[weights.places]
    order = np.argsort(by_cell(places, weights.labels), kind="stable")
    scale: Floats = np.zeros(len(keys), dtype=np.float32)
    np.maximum.at(scale, weights.labels, np.abs(weights.values))
    np.maximum(scale, 1e-9, out=scale)
    scale /= STEPS
    return Profiles(
        terms=terms[used],
        idf=idf[used].astype(np.float16),
        offsets=np.searchsorted(places[order], np.arange(len(used) + 1)).astype(np.uint32),
        labels=_small(weights.labels[order], len(keys)),
        weights=np.rint(weights.values[order] / scale[weights.labels[order]]).astype(np.int8),
        scale=scale,
        keys=keys,
        words=words,
        word_offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32),
    )


def by_cell(places: Integers, labels: Integers) -> Integers:
    """Numbers by which weights are sorted by term and then label: parts that are so already are sorted in no time."""
    return (places << 32) | labels


def _small(numbers: Integers, count: int) -> NDArray[np.uint16] | NDArray[np.uint32]:
    """Numbers below a count, in two bytes where these are enough."""
    return numbers.astype(np.uint16) if count <= 1 << 16 else numbers.astype(np.uint32)


def _drawn(documents: Integers, count: int, chance: np.random.Generator) -> Integers:
    return documents if len(documents) <= count else chance.choice(documents, count, replace=False)
