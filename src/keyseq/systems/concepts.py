"""The concepts of a vocabulary as a combined system's phrases: those that fit a text, and none where none does."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from keyseq.ranking.candidate_ranker import CandidateRanker
from keyseq.ranking.concept_candidates import ConceptCandidate, ConceptFinder
from keyseq.ranking.concept_features import ConceptPool, ConceptWeights, ranked_pool
from keyseq.ranking.naming import Naming
from keyseq.ranking.pool import Pool
from keyseq.ranking.runs import Floats
from keyseq.text.hashing import phrase_hash
from keyseq.text.presence import phrase_stems
from keyseq.types import Evidence, Phrase
from keyseq.vocabularies.concept import BROADER, LABEL_KINDS, NARROWER, RELATED

LEAST = 0.1  # default minimum probability of a concept
MOST_RELATED = 4  # maximum related concepts shown as evidence for a concept


class JudgedConcepts(NamedTuple):
    """The concepts found in a document, and their probabilities (N,)."""

    concepts: ConceptPool
    chances: Floats


class ConceptPhrases:
    """Gives the concepts of one vocabulary; threads may share it."""

    def __init__(self, finder: ConceptFinder, ranker: CandidateRanker, weights: ConceptWeights) -> None:
        self.finder, self._ranker, self._weights = finder, ranker, weights

    def judged(self, pool: Pool) -> JudgedConcepts:
        """The concepts found in a document, and the probability that each is a subject."""
        concepts = ranked_pool(self.finder, pool, self._ranker)
        return JudgedConcepts(concepts, self._corrected(concepts, self._weights.probabilities(concepts), pool))

    def phrases(self, judged: JudgedConcepts, naming: Naming, least: float) -> tuple[list[Phrase], float]:
        """The concepts of a text with at least this probability, best first; and the expected number of others."""
        concepts, chances = judged
        order = np.argsort(-chances, kind="stable")
        likely = [number for number in order.tolist() if chances[number] >= least]
        found = [self._phrase(concepts, one, float(chances[one]), naming) for one in self._first(concepts, likely)]
        return found, float(chances[chances < least].sum())

    def _corrected(self, concepts: ConceptPool, chances: Floats, pool: Pool) -> Floats:
        """The probabilities of concepts (N,) adjusted by the feedback on their preferred labels for similar texts."""
        recalled, vocabulary = pool.recalled, self.finder.vocabulary
        if recalled is None or not len(chances):
            return chances
        language, analyzer = self.finder.analyzer.language, pool.reading.source.analyzer
        names = [vocabulary.preferred(one.concept, language) for one in concepts.found]
        keys = np.array([phrase_hash(phrase_stems(name, analyzer)) for name in names], dtype=np.uint32)
        return recalled.corrected(keys, chances)

    def has(self, phrase: str) -> bool:
        """Whether a phrase is a form of one of the vocabulary's labels."""
        return bool(self.finder.labels_of(phrase))

    def _first(self, concepts: ConceptPool, order: list[int]) -> Iterator[int]:
        """The best of the concepts that share a label."""
        given: set[int] = set()
        for number in order:
            one = concepts.found[number]
            if given.isdisjoint(one.sharing):
                given.add(one.concept)
                yield number

    def _phrase(self, concepts: ConceptPool, number: int, score: float, naming: Naming) -> Phrase:
        one, vocabulary = concepts.found[number], self.finder.vocabulary
        tokens = naming.source.tokens
        return Phrase(
            text=vocabulary.preferred(one.concept, self.finder.analyzer.language),
            score=score,
            present=bool(one.matches),
            spans=tuple((tokens[match.first].start, tokens[match.last - 1].end) for match in one.matches),
            evidence=self._evidence(concepts, number, naming) if naming.explained else None,
            uri=vocabulary.uris[one.concept] or None,
            matched=vocabulary.labels[_most_frequent(one)],
        )

    def _evidence(self, concepts: ConceptPool, number: int, naming: Naming) -> Evidence:
        one, vocabulary = concepts.found[number], self.finder.vocabulary
        given, _ = naming.pool.counted
        evidence = naming.evidence(max(one.candidates, key=lambda candidate: given[candidate]))
        others = [other for kind in (RELATED, BROADER, NARROWER) for other in concepts.related(number, kind)]
        found = ("text",) if one.matches else ()
        return replace(
            evidence,
            sources=(*found, *(source for source in evidence.sources if source != "text")),
            occurrences=len(one.matches),
            in_title=any(match.first < naming.pool.tokens.title for match in one.matches),
            label=LABEL_KINDS[vocabulary.label_kinds[_most_frequent(one)]],
            related=tuple(
                vocabulary.preferred(other, self.finder.analyzer.language) for other in others[:MOST_RELATED]
            ),
            sharing=len(one.sharing),
        )


def _most_frequent(one: ConceptCandidate) -> int:
    """The label that a text has most often of a concept; of several the first, preferred ones before others."""
    labels = [match.label for match in one.matches]
    return min(labels, key=lambda label: (-labels.count(label), label)) if labels else one.label
