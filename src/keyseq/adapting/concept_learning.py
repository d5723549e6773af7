"""Train the weights of concept features, by which concepts of a vocabulary are subjects of a document."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from keyseq.errors import DataError
from keyseq.ranking.candidate_ranker import CandidateRanker
from keyseq.ranking.concept_candidates import ConceptFinder
from keyseq.ranking.concept_features import CONCEPT_FEATURES, ConceptPool, ConceptWeights, measure_concepts
from keyseq.ranking.learning import Learnt
from keyseq.ranking.logistic import logistic, regression
from keyseq.ranking.pool import Pool
from keyseq.ranking.recall_weight import JudgedRanking
from keyseq.ranking.runs import Flags, Floats
from keyseq.systems.concepts import LEAST
from keyseq.types import Document
from keyseq.vocabularies.concept_lookup import ConceptLookup

_LOGIT = list(CONCEPT_FEATURES).index("logit")


@dataclass(frozen=True)
class ConceptExample:
    """The concepts found in a document: their features but the logit, the candidates of each, which are its own."""

    features: NDArray[np.float32]  # (N, F)
    candidates: Sequence[tuple[int, ...]]  # (N,)
    gold: Flags  # (N,)
    subjects: int

    @classmethod
    def of(cls, pool: Pool, finder: ConceptFinder, subjects: frozenset[int]) -> "ConceptExample":
        """The concepts of a document that has these."""
        found = finder.find(pool)
        features = measure_concepts(ConceptPool(found, finder, pool, np.zeros(len(found))))
        gold = np.array([one.concept in subjects for one in found], dtype=bool)
        return cls(features, [one.candidates for one in found], gold, len(subjects))


class Subjects:
    """The documents of a corpus as those of a vocabulary: tags, by URI or label, become concepts."""

    def __init__(self, lookup: ConceptLookup) -> None:
        self.lookup = lookup
        self.tags = self.known = 0

    def assigned(self, documents: Iterable[Document]) -> Iterable[Document]:
        """Documents with the names of their concepts as subjects and the preferred labels as keyphrases."""
        for document in documents:
            tags = document.subjects if document.subjects is not None else document.keyphrases or ()
            concepts = self.lookup.concepts(tags)
            self.tags += len(tags)
            self.known += sum(self.lookup.find(tag) is not None for tag in tags)
            yield replace(
                document,
                keyphrases=tuple(map(self.lookup.label, concepts)),
                subjects=tuple(map(self.lookup.name, concepts)),
            )
        if self.tags and not self.known:
            raise DataError(
                f"{self.lookup.vocabulary.name}: no tag of the corpus is one of its terms or URIs; "
                "is it the vocabulary of these documents?"
            )

    def concepts(self, document: Document) -> frozenset[int]:
        """The concepts of a document that `assigned` gave."""
        return frozenset(self.lookup.concepts(document.subjects or ()))

    def names(self, document: Document) -> Iterable[str]:
        """All labels of a document's concepts, since a text may have any."""
        vocabulary, language = self.lookup.vocabulary, self.lookup.language
        for concept in sorted(self.concepts(document)):
            yield from (vocabulary.labels[label] for label in vocabulary.labels_of(concept, language))


def learn_concepts(
    examples: Sequence[ConceptExample], learnt: Learnt, in_text: Sequence[Flags]
) -> tuple[ConceptWeights, CandidateRanker]:
    """The weights of the features, and the ranker with the number of subjects that are not among the concepts found.

    The ranker's logits are those of trees that had not seen the document.
    """
    rows, gold = [], []
    for example, logits, present in zip(examples, learnt.first, in_text, strict=True):
        if len(example.gold):
            rows.append(_with_logits(example, learnt.ranker.scaling.logits(logits, present)))
            gold.append(example.gold)
    if not any(own.any() for own in gold):
        raise DataError("none of the concepts found is a subject of its document, so there is nothing to learn")
    weights = regression(np.concatenate(rows).astype(float), np.concatenate(gold))
    missing = float(np.mean([example.subjects - example.gold.sum() for example in examples]))
    return ConceptWeights(weights), replace(learnt.ranker, others=missing)


def judged_concepts(
    examples: Sequence[ConceptExample],
    learnt: Learnt,
    in_text: Sequence[Flags],
    weights: ConceptWeights,
    others: float,
) -> list[JudgedRanking]:
    """The concepts that fit each document by these weights, with the ranker's logits as in `learn_concepts`."""
    found = []
    for example, logits, present in zip(examples, learnt.first, in_text, strict=True):
        rows = _with_logits(example, learnt.ranker.scaling.logits(logits, present)).astype(float)
        chances = logistic(rows @ weights.weights[:-1] + weights.weights[-1])
        fits = chances >= LEAST
        missing = others + float(chances[~fits].sum())
        found.append(JudgedRanking(chances[fits], example.gold[fits], example.subjects, missing))
    return found


def _with_logits(example: ConceptExample, logits: Floats) -> NDArray[np.float32]:
    features = example.features.copy()
    features[:, _LOGIT] = [max(logits[list(own)]) for own in example.candidates]
    return features
