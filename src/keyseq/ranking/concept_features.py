"""Features of concepts, from the ranker and from the thesaurus, and the probability that a concept is a subject.

The features are those of Maui and of Annif's MLLM that a ranker of phrases does not have.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keyseq.ranking.candidate_ranker import CandidateRanker
from keyseq.ranking.concept_candidates import ConceptCandidate, ConceptFinder
from keyseq.ranking.features import measure
from keyseq.ranking.logistic import logistic
from keyseq.ranking.pool import Pool
from keyseq.ranking.runs import Flags, Floats
from keyseq.retrieval.profiles import ranges
from keyseq.vocabularies.comparable import comparable, label_forms
from keyseq.vocabularies.concept import BROADER, NARROWER, PREFERRED, RELATED, RELATION_KINDS

MOST_CONCEPTS = 200  # of a document, the best by the ranker
_QUALIFIER = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True)
class ConceptPool:
    """The concepts found in a document, what they were found in, and the ranker's logit of each (N,)."""

    found: Sequence[ConceptCandidate]
    finder: ConceptFinder
    pool: Pool
    logits: Floats

    @cached_property
    def present(self) -> frozenset[int]:
        """The concepts that the text has a label of."""
        return frozenset(one.concept for one in self.found if one.matches)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The light stems of the text."""
        source = self.pool.reading.source
        return frozenset(comparable(source.text, source.tokens, self.finder.analyzer.light).stems)

    def related(self, number: int, kind: int) -> list[int]:
        """The concepts that one of them is related to in some way, and that the text has a label of."""
        kinds, others = self.finder.vocabulary.related(self.found[number].concept)
        return [other for other in others[kinds == kind].tolist() if other in self.present]

    @cached_property
    def related_counts(self) -> NDArray[np.int64]:
        """How many concepts each is related to in each way, and the text has a label of (N, kinds)."""
        vocabulary, kinds = self.finder.vocabulary, len(RELATION_KINDS)
        numbers = np.array([one.concept for one in self.found], dtype=np.int64)
        starts, ends = (vocabulary.relation_offsets[numbers + end].astype(np.int64) for end in (0, 1))
        places = ranges(starts, ends)
        owners = np.repeat(np.arange(len(numbers)), ends - starts)
        here = np.isin(vocabulary.relations[places], list(self.present))
        cells = owners[here] * kinds + vocabulary.relation_kinds[places[here]]
        return np.bincount(cells, minlength=len(numbers) * kinds).reshape(-1, kinds)

    def logs(self, count: Callable[[ConceptCandidate], int]) -> Floats:
        """The logarithm of one more than something that is counted of each concept (N,)."""
        counts: Floats = np.log1p([count(one) for one in self.found])
        return counts


ConceptFeature = Callable[[ConceptPool], Sequence[float] | NDArray[np.generic]]


def logit(concepts: ConceptPool) -> Floats:
    """The calibrated logit that the ranker gives the best candidate of each."""
    return concepts.logits


def preferred(concepts: ConceptPool) -> Flags:
    """Whether it was found by its preferred label."""
    labels = np.array([one.label for one in concepts.found], dtype=np.int64)
    is_preferred: Flags = concepts.finder.vocabulary.label_kinds[labels] == PREFERRED
    return is_preferred


def borrowed(concepts: ConceptPool) -> list[float]:
    """Whether the label by which it was found is the preferred one of another concept, and not of this."""
    return [one.borrowed for one in concepts.found]


def ambiguity(concepts: ConceptPool) -> Floats:
    """How many other concepts have the same label (log)."""
    return concepts.logs(lambda one: len(one.sharing))


def qualified(concepts: ConceptPool) -> list[float]:
    """Share of the words of its qualifier that the text has, such as "planet" of "Mercury (planet)"."""
    labels = concepts.finder.vocabulary.labels
    return [_qualified(concepts, labels[one.label]) for one in concepts.found]


def _qualified(concepts: ConceptPool, label: str) -> float:
    qualifier = _QUALIFIER.search(label)
    if qualifier is None:
        return 0.0
    stems = [stem for form in label_forms(qualifier[1], concepts.finder.analyzer.light)[:1] for stem in form]
    return sum(stem in concepts.stems for stem in stems) / max(1, len(stems))


def labels_found(concepts: ConceptPool) -> Floats:
    """How many of its labels the text has (log)."""
    return concepts.logs(lambda one: len({match.label for match in one.matches}))


def occurrences_found(concepts: ConceptPool) -> Floats:
    """How often the text has one of its labels (log)."""
    return concepts.logs(lambda one: len(one.matches))


def broader_found(concepts: ConceptPool) -> Floats:
    """How many of its broader concepts the text has (log)."""
    return np.log1p(concepts.related_counts[:, BROADER])


def narrower_found(concepts: ConceptPool) -> Floats:
    """How many of its narrower concepts the text has (log)."""
    return np.log1p(concepts.related_counts[:, NARROWER])


def related_found(concepts: ConceptPool) -> Floats:
    """How many of its related concepts the text has (log)."""
    return np.log1p(concepts.related_counts[:, RELATED])


CONCEPT_FEATURES: dict[str, ConceptFeature] = {
    function.__name__: function
    for function in (
        logit,
        preferred,
        borrowed,
        ambiguity,
        qualified,
        labels_found,
        occurrences_found,
        broader_found,
        narrower_found,
        related_found,
    )
}

_NAMES = (*CONCEPT_FEATURES, "bias")

# The default weights, before any training on documents with concepts; those of the other features are 0. The logit of
# the ranker is kept, and related concepts in the same text are weak evidence for a concept.
UNLEARNT: Mapping[str, float] = {
    "logit": 1.0,
    "borrowed": -1.0,
    "qualified": 1.5,
    "broader_found": 0.3,
    "narrower_found": 0.3,
    "related_found": 0.3,
}


@dataclass(frozen=True)
class ConceptWeights:
    """A logistic model over `CONCEPT_FEATURES`."""

    weights: Floats  # (F + 1,) the bias last

    @classmethod
    def unlearnt(cls) -> "ConceptWeights":
        """The default weights, before any training."""
        return cls(np.array([*(UNLEARNT.get(name, 0.0) for name in CONCEPT_FEATURES), 0.0]))

    def arrays(self) -> dict[str, Floats]:
        """The weight of each feature by its name."""
        return {name: np.array([weight]) for name, weight in zip(_NAMES, self.weights.tolist(), strict=True)}

    @classmethod
    def from_arrays(cls, named: Mapping[str, NDArray[np.float64]]) -> "ConceptWeights":
        """Rebuild what `arrays` gave; a feature that is missing there has weight 0. ValueError if they are invalid."""
        weights = np.array([float(named[name][0]) if name in named else 0.0 for name in _NAMES])
        if not named.keys() <= set(_NAMES) or not np.isfinite(weights).all():
            raise ValueError("weights of other features")
        return cls(weights)

    def probabilities(self, concepts: ConceptPool) -> Floats:
        """The probability (N,) that each concept is a subject; concepts that share a label share its probability."""
        logits = measure_concepts(concepts).astype(float) @ self.weights[:-1] + self.weights[-1]
        return logistic(logits) * _shares(concepts.found, logits)


def measure_concepts(concepts: ConceptPool) -> NDArray[np.float32]:
    """The features of each concept (N, F), in the order of the table."""
    rows = np.empty((len(concepts.found), len(CONCEPT_FEATURES)), dtype=np.float32)
    for column, feature in enumerate(CONCEPT_FEATURES.values()):
        rows[:, column] = feature(concepts)
    return rows


def ranked_pool(finder: ConceptFinder, pool: Pool, ranker: CandidateRanker) -> ConceptPool:
    """The concepts of a document with their calibrated logits.

    Only the ranker's first trees are used: whether a phrase is a fragment of a better one matters among all
    candidates, but not among concepts, of which the longest label was taken at each place.
    """
    found = finder.find(pool)
    if not found:
        return ConceptPool(found, finder, pool, np.zeros(0))
    numbers = np.array(sorted({number for one in found for number in one.candidates}))
    scaled = ranker.scaling.logits(
        ranker.first.logits(measure(pool, ranker.asked)[numbers]).astype(float), pool.run[numbers] >= 0
    )
    by_number = dict(zip(numbers.tolist(), scaled.tolist(), strict=True))
    logits = np.array([max(by_number[number] for number in one.candidates) for one in found])
    best = np.sort(np.argsort(-logits, kind="stable")[:MOST_CONCEPTS])
    return ConceptPool([found[number] for number in best.tolist()], finder, pool, logits[best])


def _shares(found: Sequence[ConceptCandidate], logits: Floats) -> Floats:
    """How much of its label's probability each concept gets: all, unless others have the same label."""
    places = {one.concept: number for number, one in enumerate(found)}
    shares = np.ones(len(found))
    for number, one in enumerate(found):
        if one.sharing:
            own = logits[[number, *(places[other] for other in one.sharing if other in places)]]
            shares[number] = 1 / np.exp(own - own[0]).sum()
    return shares
