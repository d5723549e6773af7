"""The nearest training documents by the Jaccard similarity of their stems, and their keyphrases."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.data.parallel import Track, untracked
from keyseq.retrieval.profiles import ranges
from keyseq.retrieval.terms import StemmedWords
from keyseq.retrieval.token_store import CountedKeyphrase, TokenStore
from keyseq.text.hashing import Hashes, distinct, find, phrase_hash

NEAREST = 3  # documents that are retrieved, as in KG-KE-KR-M
COPY = 0.7  # so similar a document is a near copy, as in KG-KE-KR-M
Numbers = NDArray[np.uint32]
Offsets = NDArray[np.int64]
_DTYPES = {
    **dict.fromkeys(("stems", "documents", "sizes", "given"), "uint32"),
    **dict.fromkeys(("offsets", "given_offsets", "text_offsets"), "int64"),
    "texts": "uint8",
}


class Neighbour(NamedTuple):
    """A training document by its number in the corpus, and how similar it is, from 0 to 1."""

    document: int
    similarity: float


class RetrievedPhrase(NamedTuple):
    """A keyphrase of retrieved documents, with the similarity of the nearest that has it."""

    text: str
    similarity: float


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """An inverted index of N documents: the documents of each of their F stems, and their keyphrases.

    Stem i is in the `documents` from `offsets[i]` to `offsets[i + 1]`; document d has the keyphrases whose numbers
    are in `given` from `given_offsets[d]` to `given_offsets[d + 1]`; the text of keyphrase k is in `texts`, as UTF-8,
    from `text_offsets[k]` to `text_offsets[k + 1]`.
    """

    stems: Hashes  # (F,) sorted
    offsets: Offsets  # (F + 1,)
    documents: Numbers
    sizes: Numbers  # (N,) different stems of each document, without stop words
    given: Numbers
    given_offsets: Offsets  # (N + 1,)
    texts: NDArray[np.uint8]
    text_offsets: Offsets  # (K + 1,)

    def nearest(self, words: StemmedWords, count: int = NEAREST, copies: bool = True) -> list[Neighbour]:
        """The most similar documents, best first; of equally similar ones, the first of the corpus.

        A document that has no stem in common is never retrieved. Without `copies`, neither is a training document for
        itself, nor are near copies of it.
        """
        own = _distinct(words)
        places = find(self.stems, own)
        places = places[places >= 0]
        entries = ranges(self.offsets[places], self.offsets[places + 1])
        shared = np.bincount(self.documents[entries], minlength=len(self.sizes))
        similarities = shared / np.maximum(1, len(own) + self.sizes.astype(np.int64) - shared)
        if not copies:
            shared[similarities >= COPY] = 0
            similarities[shared == 0] = 0.0
        best = _largest(similarities, count)
        return [Neighbour(int(one), float(similarities[one])) for one in best if shared[one]]

    def keyphrases(self, neighbours: Iterable[Neighbour]) -> list[RetrievedPhrase]:
        """The keyphrases of retrieved documents, each once, those of the most similar document first."""
        best: dict[int, float] = {}
        for document, similarity in sorted(neighbours, key=lambda one: -one.similarity):
            for number in self.given[self.given_offsets[document] : self.given_offsets[document + 1]].tolist():
                best.setdefault(number, similarity)
        return [RetrievedPhrase(self._text(number), similarity) for number, similarity in best.items()]

    def _text(self, number: int) -> str:
        return self.texts[self.text_offsets[number] : self.text_offsets[number + 1]].tobytes().decode(errors="replace")

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The index by the names of its arrays."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_arrays(cls, named: Mapping[str, NDArray[Any]]) -> "Neighbours":
        """Restore from `arrays`; KeyError or ValueError if they are invalid."""
        index = cls(**{field.name: named[field.name] for field in fields(cls)})
        sound = (
            all(getattr(index, name).dtype == dtype for name, dtype in _DTYPES.items())
            and _cut(index.offsets, len(index.stems), len(index.documents))
            and _cut(index.given_offsets, len(index.sizes), len(index.given))
            and _cut(index.text_offsets, len(index.text_offsets) - 1, len(index.texts))
            and index.documents.max(initial=0) < max(1, len(index.sizes))
            and index.given.max(initial=0) < max(1, len(index.text_offsets) - 1)
        )
        if not sound:
            raise ValueError("an index of neighbours whose parts do not fit together")
        return index


def fit_neighbours(store: TokenStore, track: Track = untracked) -> Neighbours:
    """Index a corpus: a first pass counts the documents of each stem, a second writes them down."""
    found = [_distinct(words) for words in track(store.documents(), "reading stems", len(store))]
    stems, counts = np.unique(np.concatenate(found), return_counts=True)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    documents, free = np.zeros(offsets[-1], dtype=np.uint32), offsets[:-1].copy()
    for document, own in enumerate(track(found, "indexing", len(found))):
        places = find(stems, own)
        documents[free[places]] = document
        free[places] += 1
    given, given_offsets = _given(store)
    texts = [one.text.encode() for one in store.keyphrases]
    return Neighbours(
        stems=stems,
        offsets=offsets,
        documents=documents,
        sizes=np.array([len(own) for own in found], dtype=np.uint32),
        given=given,
        given_offsets=given_offsets,
        texts=np.frombuffer(b"".join(texts), dtype=np.uint8),
        text_offsets=np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64),
    )


def _distinct(words: StemmedWords) -> Hashes:
    """The distinct stems of a document, without stop words."""
    return distinct(words.hashes[~words.stops])


def _given(store: TokenStore) -> tuple[Numbers, Offsets]:
    """The numbers of each document's keyphrases, one document after the other, and where those of each begin."""
    keys, numbers = _numbered(store.keyphrases)
    places = find(keys, store.gold)
    owners = np.repeat(np.arange(len(store)), np.diff(store.gold_offsets))[places >= 0]
    return numbers[places[places >= 0]], np.searchsorted(owners, np.arange(len(store) + 1))


def _numbered(keyphrases: Iterable[CountedKeyphrase]) -> tuple[Hashes, Numbers]:
    """The hashes of the keyphrases, sorted, and the number of the keyphrase that has each."""
    keys, numbers = np.unique(
        np.array([phrase_hash(one.stems) for one in keyphrases], dtype=np.uint32), return_index=True
    )
    return keys, numbers.astype(np.uint32)


def _largest(values: NDArray[np.float64], count: int) -> Offsets:
    """The places of the largest values, in their order; of equal ones, the first."""
    if count < len(values):
        least = np.partition(values, len(values) - count)[len(values) - count]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return places[np.argsort(-values[places], kind="stable")][:count]


def _cut(offsets: Offsets, parts: int, size: int) -> bool:
    """Whether offsets split an array of a given length into a given number of parts."""
    return (
        len(offsets) == parts + 1
        and int(offsets[0]) == 0
        and int(offsets[-1]) == size
        and bool((np.diff(offsets) >= 0).all())
    )
