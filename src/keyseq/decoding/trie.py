"""Constrained decoding: the phrases of an allow-list as a trie that a search must follow."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from keyseq.data.vocabulary import EOS, Vocabulary
from keyseq.decoding.stepper import Allowed, Ids
from keyseq.errors import KeyseqError
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import phrase_words

ROOT = 0
_NONE = np.empty(0, dtype=np.int64)


class Opened(NamedTuple):
    """The edges of the trie that a document adds, since it contains words that can only be copied."""

    listed: Mapping[int, int]  # extended id in the document → id in the list
    words: Mapping[int, Sequence[int]]  # node → extended ids of its additional edges


class AllowList:
    """The only phrases that may be produced, as a trie over word ids.

    Words with ids of `generable` or more can only be copied: a phrase with such a word is available only for documents
    that contain the word.
    """

    def __init__(
        self, phrases: Iterable[str], vocabulary: Vocabulary, generable: int, analyzer: Analyzer = ENGLISH
    ) -> None:
        self._listed: dict[tuple[str, ...], str] = {}
        for phrase in phrases:
            self._listed.setdefault(tuple(phrase_words(phrase, analyzer)), phrase.strip())
        self._listed.pop((), None)
        if not self._listed:
            raise KeyseqError("the list of allowed phrases is empty; write one phrase per line")
        self._words = vocabulary.extended(chain.from_iterable(self._listed))
        self._known, self._generable = len(vocabulary), generable
        self._edges: dict[int, int] = {}  # (node, word) packed into one int, which the garbage collector need not track
        self._ends: set[int] = set()
        self._open: set[int] = {ROOT}  # nodes that every document can reach
        self._next: dict[int, list[int]] = {}  # node → words of edges to nodes that every document can reach
        self._copied: dict[int, list[list[int]]] = {}  # word that can only be copied → phrases that contain it
        for words in self._listed:
            self._add(self._words.ids(words))
        self.first = np.zeros(self._known, dtype=bool)
        self.first[self._next.get(ROOT, [])] = True

    def __len__(self) -> int:
        return len(self._listed)

    def listed(self, words: Sequence[str]) -> str | None:
        """A phrase as spelt in the list, None if it is not in the list."""
        return self._listed.get(tuple(words))

    def _add(self, phrase: list[int]) -> None:
        copied = [word for word in phrase if word >= self._generable]
        for word in copied:
            self._copied.setdefault(word, []).append(phrase)
        node = ROOT
        for word in phrase:
            child = self._edges.setdefault(self._edge(node, word), len(self._edges) + 1)
            if not copied and child not in self._open:
                self._open.add(child)
                self._next.setdefault(node, []).append(word)
            node = child
        self._ends.add(node)

    def _edge(self, node: int, word: int) -> int:
        return node * len(self._words) + word

    def open(self, source: Ids, unknown: Mapping[str, int]) -> Opened:
        """The edges that a document adds, given its extended ids and its words outside the vocabulary."""
        copied = {word: word for word in np.unique(source).tolist() if self._generable <= word < self._known}
        copied |= {self._words.id(word): number for word, number in unknown.items() if word in self._words}
        opened: dict[int, dict[int, None]] = {}
        for phrase in chain.from_iterable(self._copied.get(word, ()) for word in copied):
            if all(word < self._generable or word in copied for word in phrase):
                for node, word, child in self._path(phrase):
                    if child not in self._open:
                        opened.setdefault(node, {})[copied.get(word, word)] = None
        return Opened({number: word for word, number in copied.items()}, {node: [*ids] for node, ids in opened.items()})

    def _path(self, phrase: Iterable[int]) -> Iterator[tuple[int, int, int]]:
        node = ROOT
        for word in phrase:
            child = self._edges[self._edge(node, word)]
            yield node, word, child
            node = child

    def next(self, node: int, opened: Opened, endings: list[int]) -> list[int]:
        """The extended ids that may follow within a phrase, with `endings` if the phrase is complete."""
        words = [] if node == ROOT else self._next.get(node, [])
        return [*words, *opened.words.get(node, ()), *(endings if node in self._ends else ())]

    def child(self, node: int, word: int, opened: Opened) -> int:
        """The child node of a word; the root for a word without an edge, such as a separator."""
        return self._edges.get(self._edge(node, opened.listed.get(word, word)), ROOT)


class Walk:
    """The constraint of a search over a batch of documents by an `AllowList`."""

    def __init__(self, allow_list: AllowList, documents: Sequence[Opened], separators: Sequence[int]) -> None:
        """`separators` allow another phrase after a complete one (one2seq)."""
        self._list, self._documents = allow_list, documents
        self._endings = [EOS, *separators]

    def allowed(self, documents: Ids, nodes: Ids) -> Allowed:
        """The words that may follow at nodes (D, B) of documents (D,)."""
        following = [
            [self._list.next(node, self._documents[number], self._endings) for node in row]
            for number, row in zip(documents.tolist(), nodes.tolist(), strict=True)
        ]
        width = max(1, *(len(words) for words in chain.from_iterable(following)))
        ids = np.full((*nodes.shape, width), -1, dtype=np.int64)
        for place, words in zip(np.ndindex(nodes.shape), chain.from_iterable(following), strict=True):
            ids[place][: len(words)] = words
        return Allowed(self._list.first, nodes == ROOT, ids)

    def advance(self, documents: Ids, nodes: Ids, tokens: Ids) -> Ids:
        """The nodes (D, B) that words (D, B) lead to."""
        walked = [
            [self._list.child(node, word, self._documents[number]) for node, word in zip(*pairs, strict=True)]
            for number, *pairs in zip(documents.tolist(), nodes.tolist(), tokens.tolist(), strict=True)
        ]
        return np.array(walked, dtype=np.int64)
