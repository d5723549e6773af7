"""A long text: its parts, its words counted over the whole, and a digest of its most informative passages."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from keyseq.ranking.runs import Flags, Floats, Integers
from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.retrieval.terms import StemmedWords, stop_hashes
from keyseq.text.analyzer import Analyzer
from keyseq.text.hashing import BREAK, LONGEST, Hashes, find, phrase_hash, run_hashes, stem_hashes
from keyseq.text.sections import Part, Passage, passages
from keyseq.text.tokenize import Token
from keyseq.types import Document

LONG = 9_000  # characters, some 1,500 words: more than any text that the rankers of the package learnt from
DIGEST = 500  # words of a digest
LEAD = 250  # words of its abstract, or half as many of its beginning where it has none
SIDE = 60  # words of the introduction, of the conclusion, and of the headings
FADING = 0.5  # what is left of the weight of a word that the digest has already
SHORT = 10  # words that are added to the length of a passage, so that the densest are not just the shortest
FEWEST = 300  # words besides references and the like: with fewer, everything is read


def is_long(document: Document) -> bool:
    """Whether a text is too long to be read as those that the rankers learnt from."""
    return len(document.title) + len(document.body) > LONG


class Digest(NamedTuple):
    """A document reduced to its most informative passages, and the whole text."""

    document: Document
    whole: "LongText"


class LongText:
    """The passages of a document's text (P), and the numbers of their words (T,), marks between passages included."""

    def __init__(self, document: Document, analyzer: Analyzer) -> None:
        self.document, self.text = document, document.text
        self.analyzer = analyzer.for_text(self.text)
        body = len(self.text) - len(document.body)
        title = [Passage(Part.HEADING, 0, len(document.title))] if document.title else []
        self.passages: list[Passage] = [*title, *passages(self.text, body)]
        stems = [self.analyzer.text_stems(self.text[one.start : one.end]) for one in self.passages]
        self.lengths: Integers = np.array([len(some) for some in stems], dtype=np.int64)
        self.offsets: Integers = np.cumsum(self.lengths + 1) - self.lengths - 1
        self.hashes: Hashes = np.zeros(int((self.lengths + 1).sum()), dtype=np.uint32)
        self._in_word = np.ones(len(self.hashes), dtype=bool)
        self._in_word[self.offsets + self.lengths] = False  # a mark, `BREAK`, ends each passage
        self.hashes[self._in_word] = stem_hashes(stem for some in stems for stem in some)
        self._tokens: dict[int, list[Token]] = {}  # of the passages that were looked at again

    @cached_property
    def kept(self) -> Flags:
        """Which passages are about the subject (P,)."""
        kept = np.array([one.part is not Part.OMITTED for one in self.passages], dtype=bool)
        return kept if self.lengths[kept].sum() >= FEWEST else np.ones_like(kept)

    @cached_property
    def words(self) -> Hashes:
        """The words of these passages."""
        return self.hashes[np.repeat(self.kept, self.lengths + 1)]

    def stemmed(self, title: int) -> StemmedWords:
        """The words for profiles; those of the first passage, if it is a title of so many, count twice."""
        return StemmedWords(self.words, title, stop_hashes(self.analyzer))

    def counts(self, keys: Hashes) -> Floats:
        """How often the text has each phrase (N,), by sorted numbers, references and the like left out."""
        words = self.words
        counted, words_only = np.zeros(len(keys)), words != BREAK
        whole = np.ones(len(words), dtype=bool)  # runs without a mark, which would count as the run after it
        for length in range(1, LONGEST + 1):
            whole = whole[: len(words) - length + 1] & words_only[length - 1 :]
            places = find(keys, run_hashes(words, length)[whole])
            counted += np.bincount(places[places >= 0], minlength=len(keys))
        return counted

    def spans(self, stems: Sequence[str]) -> tuple[tuple[int, int], ...]:
        """The character offsets of every occurrence of a stemmed phrase, wherever it stands."""
        if not stems:
            return ()
        places = np.flatnonzero(run_hashes(self.hashes, len(stems)) == np.uint32(phrase_hash(stems)))
        places = places[self.hashes[places] != BREAK]  # a mark counts as nothing: it would begin the same run
        numbers = np.searchsorted(self.offsets, places, side="right") - 1
        return tuple(
            self._span(number, first, first + len(stems))
            for number, first in zip(numbers.tolist(), (places - self.offsets[numbers]).tolist(), strict=True)
        )

    def _span(self, number: int, first: int, last: int) -> tuple[int, int]:
        """The character offsets of some words of a passage."""
        passage = self.passages[number]
        if number not in self._tokens:
            self._tokens[number] = self.analyzer.tokenize(self.text[passage.start : passage.end])
        tokens = self._tokens[number]
        return passage.start + tokens[first].start, passage.start + tokens[last - 1].end

    def digest(self, counts: Keyphraseness) -> Digest:
        """The document cut to its title, abstract, headings, beginnings of its parts, and what is densest."""
        chosen = sorted(_Selection(self, counts).chosen())
        first = 1 if self.document.title else 0
        pieces = [self.text[self.passages[at].start : self.passages[at].end].strip() for at in chosen if at >= first]
        return Digest(
            Document(id=self.document.id, title=self.document.title, body="\n\n".join(pieces)),
            self,
        )


class _Selection:
    """Chooses passages: first by the parts they belong to, then those with most of the words that the text repeats."""

    def __init__(self, whole: LongText, counts: Keyphraseness) -> None:
        self._whole, self._taken, self._used = whole, set[int](), 0
        different, self._places, times = np.unique(whole.hashes, return_inverse=True, return_counts=True)
        self._weights: Floats = np.log1p(times) * counts.idf(different) * (times > 1)
        self._weights[different == BREAK] = 0
        self._weights[find(stop_hashes(whole.analyzer), different) >= 0] = 0

    def chosen(self) -> set[int]:
        """The numbers of the passages of the digest."""
        parts = [one.part for one in self._whole.passages]
        kept = np.flatnonzero(self._whole.kept).tolist()
        in_part = {part: [at for at in kept if parts[at] is part] for part in Part}
        self._take(kept[:1], SIDE)  # the title
        self._take(in_part[Part.ABSTRACT] or kept, LEAD if in_part[Part.ABSTRACT] else LEAD // 2)
        for part in (Part.INTRODUCTION, Part.CONCLUSION, Part.HEADING):
            self._take(in_part[part], SIDE)
        self._take(self._densest(kept), DIGEST)
        return self._taken

    def _take(self, numbers: Iterable[int], most: int) -> None:
        """Take passages in this order, up to this many words, or until the digest is full."""
        words = 0
        for number in numbers:
            if words >= most or self._used >= DIGEST:
                return
            if number not in self._taken:
                self._taken.add(number)
                length = int(self._whole.lengths[number])
                words, self._used = words + length, self._used + length
                self._weights[self._words(number)] *= FADING

    def _densest(self, numbers: Iterable[int]) -> Iterator[int]:
        """Passages from the densest on, as the words of those that were taken fade."""
        waiting = [(-self._density(number), number) for number in numbers if number not in self._taken]
        heapq.heapify(waiting)
        while waiting:
            _, number = heapq.heappop(waiting)
            now = self._density(number)
            if waiting and now < -waiting[0][0]:
                heapq.heappush(waiting, (-now, number))
            else:
                yield number

    def _density(self, number: int) -> float:
        return float(self._weights[self._words(number)].sum()) / (int(self._whole.lengths[number]) + SHORT)

    def _words(self, number: int) -> Integers:
        """The different words of a passage."""
        start = int(self._whole.offsets[number])
        return np.unique(self._places[start : start + int(self._whole.lengths[number])])
