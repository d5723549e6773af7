"""Keyphrases of similar training documents, for networks that read them; the index is a file beside the network."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from keyseq.arrays import map_arrays, write_arrays
from keyseq.data.parallel import Track, untracked
from keyseq.errors import KeyseqError
from keyseq.retrieval.neighbours import Neighbours, RetrievedPhrase, fit_neighbours
from keyseq.retrieval.terms import words_of
from keyseq.retrieval.token_store import store_tokens
from keyseq.text.analyzer import Analyzer
from keyseq.types import Document


class PhraseRetriever:
    """Retrieves the keyphrases of the training documents that are most similar to a text."""

    def __init__(self, index: Neighbours, analyzer: Analyzer) -> None:
        self.index, self._analyzer = index, analyzer

    def phrases(self, document: Document, copies: bool = True) -> list[RetrievedPhrase]:
        """The phrases, those of the most similar document first.

        Without `copies`, a training document does not retrieve its own.
        """
        return self.index.keyphrases(self.index.nearest(words_of(document, self._analyzer), copies=copies))

    def texts(self, document: Document, copies: bool = True) -> tuple[str, ...]:
        """The phrases alone."""
        return tuple(phrase.text for phrase in self.phrases(document, copies))


def open_retriever(path: Path, analyzer: Analyzer) -> PhraseRetriever:
    """The retriever of an index, which is mapped into memory."""
    try:
        return PhraseRetriever(Neighbours.from_arrays(map_arrays(path)), analyzer)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise KeyseqError(
            f"{path}: no index of neighbours, or one of another version ({error}); export it again"
        ) from None


def write_index(documents: Iterable[Document], analyzer: Analyzer, path: Path, track: Track = untracked) -> None:
    """Index documents with keyphrases, not atomically: the caller writes the whole folder atomically."""
    with tempfile.TemporaryDirectory(dir=path.parent) as place:
        store = store_tokens((one for one in documents if one.keyphrases), Path(place), analyzer)
        write_arrays(path, fit_neighbours(store, track).arrays())
