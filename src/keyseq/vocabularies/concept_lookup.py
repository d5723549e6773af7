"""Concepts by the names that corpora and predictions have for them: a URI, or any label."""

from collections.abc import Iterable
from dataclasses import replace

from keyseq.text.analyzer import Analyzer
from keyseq.types import Document
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary
from keyseq.vocabularies.label_matching import labels_of_phrase

MEMO_SIZE = 200_000


class ConceptLookup:
    """Finds concepts by name; labels are those in the language of the analyzer."""

    def __init__(self, vocabulary: ControlledVocabulary, analyzer: Analyzer) -> None:
        self.vocabulary, self._analyzer = vocabulary, analyzer
        self._memo: dict[str, int | None] = {}

    @property
    def language(self) -> str:
        """The language of the labels."""
        return self._analyzer.language

    def find(self, name: str) -> int | None:
        """The concept of a URI or label; of several the one that is called so exactly, and whose label is preferred."""
        if name not in self._memo:
            if len(self._memo) >= MEMO_SIZE:
                self._memo.clear()
            self._memo[name] = self._found(name)
        return self._memo[name]

    def _found(self, name: str) -> int | None:
        concept = self.vocabulary.concept_of(name)
        if concept is not None:
            return concept
        labels = labels_of_phrase(self.vocabulary, name, self._analyzer)
        folded = name.casefold()

        def order(label: int) -> tuple[bool, int, int]:
            return self.vocabulary.labels[label].casefold() != folded, int(self.vocabulary.label_kinds[label]), label

        return int(self.vocabulary.label_concepts[min(labels, key=order)]) if labels else None

    def name(self, concept: int) -> str:
        """The identifier of a concept: its URI, or its preferred label if it has none."""
        return self.vocabulary.uris[concept] or self.label(concept)

    def label(self, concept: int) -> str:
        """The preferred label of a concept."""
        return self.vocabulary.preferred(concept, self._analyzer.language)

    def described(self, document: Document) -> Document:
        """A document with the labels of its subjects as keyphrases, or the URIs of its keyphrases as subjects.

        What is not in the vocabulary is left out of what is added.
        """
        if document.subjects is not None:
            found = self.concepts(document.subjects)
            return replace(document, keyphrases=tuple(map(self.label, found)), subjects=tuple(map(self.name, found)))
        if document.keyphrases is not None:
            found = self.concepts(document.keyphrases)
            return replace(document, subjects=tuple(filter(None, (self.vocabulary.uris[one] for one in found))))
        return document

    def concepts(self, names: Iterable[str]) -> list[int]:
        """The concepts of several names, each once; those that are not in the vocabulary are left out."""
        found = (self.find(name) for name in names)
        return list(dict.fromkeys(one for one in found if one is not None))
