"""What is measured of each concept, and how likely it is a subject: the ranker's word, and that of the thesaurus.

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
from keyseq.ranking.runs import Floats
from keyseq.vocabularies.comparable import comparable, label_forms
from keyseq.vocabularies.concept import BROADER, NARROWER, PREFERRED, RELATED

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


ConceptFeature = Callable[[ConceptPool, int], float]


def logit(concepts: ConceptPool, number: int) -> float:
    """The calibrated logit that the ranker gives its best candidate."""
    return float(concepts.logits[number])


def preferred(concepts: ConceptPool, number: int) -> float:
    """Whether it was found by its preferred label."""
    return float(concepts.finder.vocabulary.label_kinds[concepts.found[number].label] == PREFERRED)


def borrowed(concepts: ConceptPool, number: int) -> float:
    """Whether the label by which it was found is the preferred one of another concept, and not of this."""
    return float(concepts.found[number].borrowed)


def ambiguity(concepts: ConceptPool, number: int) -> float:
    """How many other concepts have the same label (log)."""
    return float(np.log1p(len(concepts.found[number].sharing)))


def qualified(concepts: ConceptPool, number: int) -> float:
    """Share of the words of its qualifier that the text has, such as "planet" of "Mercury (planet)"."""
    qualifier = _QUALIFIER.search(concepts.finder.vocabulary.labels[concepts.found[number].label])
    if qualifier is None:
        return 0.0
    stems = [stem for form in label_forms(qualifier[1], concepts.finder.analyzer.light)[:1] for stem in form]
    return sum(stem in concepts.stems for stem in stems) / max(1, len(stems))


def labels_found(concepts: ConceptPool, number: int) -> float:
    """How many of its labels the text has (log)."""
    return float(np.log1p(len({match.label for match in concepts.found[number].matches})))


def occurrences_found(concepts: ConceptPool, number: int) -> float:
    """How often the text has one of its labels (log)."""
    return float(np.log1p(len(concepts.found[number].matches)))


def broader_found(concepts: ConceptPool, number: int) -> float:
    """How many of its broader concepts the text has (log)."""
    return float(np.log1p(len(concepts.related(number, BROADER))))


def narrower_found(concepts: ConceptPool, number: int) -> float:
    """How many of its narrower concepts the text has (log)."""
    return float(np.log1p(len(concepts.related(number, NARROWER))))


def related_found(concepts: ConceptPool, number: int) -> float:
    """How many of its related concepts the text has (log)."""
    return float(np.log1p(len(concepts.related(number, RELATED))))


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

# The weights of features while nothing was learnt from documents with concepts; the others weigh nothing. A logit of
# the ranker stays what it is, and related concepts in the same text speak for a concept a little.
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
        """The weights before anything was learnt."""
        return cls(np.array([*(UNLEARNT.get(name, 0.0) for name in CONCEPT_FEATURES), 0.0]))

    def arrays(self) -> dict[str, Floats]:
        """The weight of each feature by its name."""
        return {name: np.array([weight]) for name, weight in zip(_NAMES, self.weights.tolist(), strict=True)}

    @classmethod
    def from_arrays(cls, named: Mapping[str, NDArray[np.float64]]) -> "ConceptWeights":
        """Rebuild what `arrays` gave; a feature that was not known then weighs nothing. ValueError for others."""
        weights = np.array([float(named[name][0]) if name in named else 0.0 for name in _NAMES])
        if not named.keys() <= set(_NAMES) or not np.isfinite(weights).all():
            raise ValueError("weights of other features")
        return cls(weights)

    def probabilities(self, concepts: ConceptPool) -> Floats:
        """How probably each concept is a subject (N,); concepts that share a label share its probability."""
        logits = measure_concepts(concepts).astype(float) @ self.weights[:-1] + self.weights[-1]
        return logistic(logits) * _shares(concepts.found, logits)


def measure_concepts(concepts: ConceptPool) -> NDArray[np.float32]:
    """The features of each concept (N, F), in the order of the table."""
    numbers = range(len(concepts.found))
    columns = [[feature(concepts, number) for number in numbers] for feature in CONCEPT_FEATURES.values()]
    return np.array(columns, dtype=np.float32).T.reshape(-1, len(CONCEPT_FEATURES))


def ranked_pool(finder: ConceptFinder, pool: Pool, ranker: CandidateRanker) -> ConceptPool:
    """The concepts of a document with their calibrated logits.

    Only the ranker's first trees are asked: whether a phrase is a fragment of a better one matters among all
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
