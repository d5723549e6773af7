"""Gold and predictions as concepts: each by one name, whichever names a corpus and a prediction file have."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from keyseq.predictions.readers import Prediction
from keyseq.types import Document
from keyseq.vocabularies.concept_lookup import ConceptLookup


class ConceptNames:
    """Names concepts by their URI, where the gold has URIs, or else by their label; with a vocabulary, by its own."""

    def __init__(self, gold: Iterable[Document], lookup: ConceptLookup | None) -> None:
        documents = iter(gold)
        first = next(documents, None)
        self._documents = documents if first is None else chain([first], documents)
        self._by_uri = first is not None and first.subjects is not None
        self._lookup = lookup

    def documents(self) -> Iterator[Document]:
        """The gold documents with the names of their concepts as keyphrases."""
        for document in self._documents:
            given = document.subjects if self._by_uri else document.keyphrases
            yield replace(document, keyphrases=None if given is None else tuple(map(self._named, given)))

    def predictions(self, predictions: Iterable[Prediction]) -> Iterator[Prediction]:
        """The predictions by the same names."""
        for one in predictions:
            uris = one.uris or [None] * len(one.phrases)
            pairs = zip(one.phrases, uris, strict=True)
            yield replace(one, phrases=[self._predicted(text, uri) for text, uri in pairs])

    def _predicted(self, text: str, uri: str | None) -> str:
        if self._lookup is not None:
            return self._named(uri or text)
        return (uri or text) if self._by_uri else text

    def _named(self, name: str) -> str:
        concept = None if self._lookup is None else self._lookup.find(name)
        return name if concept is None or self._lookup is None else self._lookup.name(concept)
