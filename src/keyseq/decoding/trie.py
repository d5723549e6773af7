"""A closed vocabulary: phrases of a list as a trie, along which a search may walk and nowhere else."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from keyseq.data.vocabulary import EOS, SEP, Vocabulary
from keyseq.decoding.stepper import Allowed, Ids
from keyseq.errors import KeyseqError
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import phrase_words

ROOT = 0
_NONE = np.empty(0, dtype=np.int64)


class Opened(NamedTuple):
    """What a document opens by words that it holds and that can only be copied."""

    listed: Mapping[int, int]  # extended id in the document → id in the list
    words: Mapping[int, Sequence[int]]  # node → extended ids that lead on from there in this document alone


class AllowList:
    """Phrases that alone may be produced, and the words that lead to them.

    Words from `generable` on can't be generated, only copied: a phrase that holds one is open to the documents that
    hold it too, and to no others.
    """

    def __init__(
        self, phrases: Iterable[str], vocabulary: Vocabulary, generable: int, analyzer: Analyzer = ENGLISH
    ) -> None:
        self._listed: dict[tuple[str, ...], str] = {}
        for phrase in phrases:
            self._listed.setdefault(tuple(phrase_words(phrase, analyzer)), phrase.strip())
        self._listed.pop((), None)
        if not self._listed:
            raise KeyseqError("the list of allowed phrases holds none: write one phrase a line")
        self._words = vocabulary.extended(chain.from_iterable(self._listed))
        self._known, self._generable = len(vocabulary), generable
        self._edges: dict[int, int] = {}  # node and word as one number, which a garbage collector need not visit
        self._ends: set[int] = set()
        self._open: set[int] = {ROOT}  # nodes that every document can reach
        self._next: dict[int, list[int]] = {}  # node → words that lead on to open nodes
        self._copied: dict[int, list[list[int]]] = {}  # word that can only be copied → the phrases that hold it
        for words in self._listed:
            self._add(self._words.ids(words))
        self.first = np.zeros(self._known, dtype=bool)
        self.first[self._next.get(ROOT, [])] = True

    def __len__(self) -> int:
        return len(self._listed)

    def listed(self, words: Sequence[str]) -> str | None:
        """A phrase as the list writes it, or None if the list does not have it."""
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
        """See what else a document can say, given its extended ids and the words outside the vocabulary."""
        own = {word: word for word in np.unique(source).tolist() if self._generable <= word < self._known}
        own |= {self._words.id(word): number for word, number in unknown.items() if word in self._words}
        opened: dict[int, dict[int, None]] = {}
        for phrase in chain.from_iterable(self._copied.get(word, ()) for word in own):
            if all(word < self._generable or word in own for word in phrase):
                for node, word, child in self._path(phrase):
                    if child not in self._open:
                        opened.setdefault(node, {})[own.get(word, word)] = None
        return Opened({number: word for word, number in own.items()}, {node: [*ids] for node, ids in opened.items()})

    def _path(self, phrase: Iterable[int]) -> Iterator[tuple[int, int, int]]:
        node = ROOT
        for word in phrase:
            child = self._edges[self._edge(node, word)]
            yield node, word, child
            node = child

    def next(self, node: int, opened: Opened, endings: list[int]) -> list[int]:
        """The extended ids that may follow within a phrase, `endings` where one is complete."""
        words = [] if node == ROOT else self._next.get(node, [])
        return [*words, *opened.words.get(node, ()), *(endings if node in self._ends else ())]

    def child(self, node: int, word: int, opened: Opened) -> int:
        """The node that a word leads to; a word that leads nowhere, such as a separator, leads back to the root."""
        return self._edges.get(self._edge(node, opened.listed.get(word, word)), ROOT)


class Walk:
    """The way of a batch's hypotheses through an `AllowList`: the constraint of a search."""

    def __init__(self, allow_list: AllowList, documents: Sequence[Opened], separated: bool) -> None:
        """`separated` lets another phrase follow a complete one (one2seq)."""
        self._list, self._documents = allow_list, documents
        self._endings = [EOS, SEP] if separated else [EOS]

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
