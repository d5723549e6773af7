"""The concepts of a vocabulary that may be subjects of a document, each with its candidates in the pool."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from keyseq.ranking.pool import Pool
from keyseq.text.analyzer import Analyzer
from keyseq.text.hashing import LONGEST, find, run_hashes
from keyseq.vocabularies.concept import PREFERRED
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary
from keyseq.vocabularies.label_matching import LabelMatch, by_concept, find_labels, labels_of_phrase


@dataclass(frozen=True)
class ConceptCandidate:
    """A concept by its number, the label by which it was found, and its candidates in the pool.

    `matches` are the places of its labels in the text, none if it was retrieved or generated. `sharing` are other
    concepts that have labels wherever this one has one, so that only the context disambiguates them; it is
    `borrowed` if one of them has its preferred label there, and this one has not.
    """

    concept: int
    label: int
    candidates: tuple[int, ...]
    matches: tuple[LabelMatch, ...] = ()
    sharing: tuple[int, ...] = ()
    borrowed: bool = False


class ConceptFinder:
    """Finds the concepts of one vocabulary in the pools of documents; threads may share it.

    `labels` are those of the profiles that retrieved candidates come from.
    """

    def __init__(self, vocabulary: ControlledVocabulary, labels: Sequence[str], analyzer: Analyzer) -> None:
        self.vocabulary, self.analyzer = vocabulary, analyzer
        self._labels = labels
        self._retrieved: dict[int, list[int]] = {}  # the vocabulary's labels that a label of the profiles is

    def find(self, pool: Pool) -> list[ConceptCandidate]:
        """The concepts whose labels the text contains, then others that were retrieved or generated."""
        matches = by_concept(self.vocabulary, find_labels(self.vocabulary, pool.reading.source))
        labels = {concept: min(match.label for match in own) for concept, own in matches.items()}
        places = {concept: {(match.first, match.last) for match in own} for concept, own in matches.items()}
        numbers = {place: candidates_at(pool, *place) for own in places.values() for place in own}
        found = {concept: [at for place in sorted(own) for at in numbers[place]] for concept, own in places.items()}
        for number, label in self._elsewhere(pool):
            concept = int(self.vocabulary.label_concepts[label])
            found.setdefault(concept, []).append(number)
            labels.setdefault(concept, label)
            places.setdefault(concept, {(-1, number)})
        sharing = _sharing({concept: places[concept] for concept, own in found.items() if own})
        preferred = {concept for concept in sharing if self.vocabulary.label_kinds[labels[concept]] == PREFERRED}
        return [
            ConceptCandidate(
                concept,
                labels[concept],
                tuple(dict.fromkeys(found[concept])),
                tuple(matches.get(concept, ())),
                tuple(sorted(others)),
                concept not in preferred and not others.isdisjoint(preferred),
            )
            for concept, others in sharing.items()
        ]

    def labels_of(self, text: str) -> list[int]:
        """The labels of the vocabulary that a phrase is a form of."""
        return labels_of_phrase(self.vocabulary, text, self.analyzer)

    def _elsewhere(self, pool: Pool) -> Iterator[tuple[int, int]]:
        """Candidates that the text does not contain, and the labels of the vocabulary that they are."""
        for number in np.flatnonzero(pool.run < 0).tolist():
            label = int(pool.label[number])
            if label < 0:
                labels = self.labels_of(pool.unlabelled(number))
            else:
                if label not in self._retrieved:
                    self._retrieved[label] = self.labels_of(self._labels[label])
                labels = self._retrieved[label]
            yield from ((number, one) for one in labels)


def _sharing(places: dict[int, set[tuple[int, int]]]) -> dict[int, set[int]]:
    """For each concept the others that stand at all of its places."""
    at: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for concept, own in places.items():
        for place in own:
            at[place].add(concept)
    return {concept: set.intersection(*(at[place] for place in own)) - {concept} for concept, own in places.items()}


def candidates_at(pool: Pool, first: int, last: int) -> list[int]:
    """The candidate of a pool at a place, or else the longest ones inside: labels may be longer than candidates."""
    hashes = pool.tokens.hashes[first:last]
    for length in range(min(len(hashes), LONGEST), 0, -1):
        places = find(pool.keys, run_hashes(hashes, length))
        if (places >= 0).any():
            return [place for place in places.tolist() if place >= 0]
    return []
