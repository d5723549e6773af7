"""A document as the terms by which profiles and neighbours know it: stems, and pairs of stems in a row."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.hashing import BREAK, Hashes, distinct, find, phrase_hash, run_hashes, stem_hashes
from keyseq.types import TITLE_SEPARATOR, Document

# marks at which a phrase ends but which the tokenizers drop: read as a full stop, which they keep
_MARKS = str.maketrans(dict.fromkeys(';:!?"“”„«»—–•|[]{}=', ".") | {"’": "'"})

_MINING = "mine"  # a pronoun that has the stem of "data mining"


@cache
def stop_hashes(analyzer: Analyzer) -> Hashes:
    """Stop words that are their own stems: "using" and "makes" have those of "land use" and "decision making"."""
    stems = [word for word in analyzer.stop_words if analyzer.stems([word]) == [word] and word != _MINING]
    return distinct(np.array([phrase_hash([word]) for word in stems], dtype=np.uint32))


class StemmedWords(NamedTuple):
    """The stems of a document as numbers, how many of them are the title's, and the stop words of its language."""

    hashes: Hashes  # (N,)
    title: int
    stop_words: Hashes  # sorted

    @property
    def stops(self) -> NDArray[np.bool_]:
        """Which of them are marks or stop words (N,)."""
        stops: NDArray[np.bool_] = (find(self.stop_words, self.hashes) >= 0) | (self.hashes == BREAK)
        return stops


def words_of(document: Document, analyzer: Analyzer = ENGLISH) -> StemmedWords:
    """Read a document's words for counting."""
    counted = for_counting(analyzer)
    title, body = (stem_hashes(counted.text_stems(text.translate(_MARKS))) for text in (document.title, document.body))
    joint = stem_hashes(counted.text_stems(TITLE_SEPARATOR)) if len(title) and len(body) else title[:0]
    return StemmedWords(np.concatenate([title, joint, body]), len(title), stop_hashes(analyzer))


def for_counting(analyzer: Analyzer) -> Analyzer:
    """The analyzer of corpora that are counted, and of their keyphrases: words of any script are not split."""
    return analyzer.whole_words


class DocumentTerms(NamedTuple):
    """The different terms of a document (M,), and how often it has each; those of the title count twice."""

    hashes: Hashes
    counts: NDArray[np.int64]


def terms(words: StemmedWords) -> DocumentTerms:
    """Stems without stop words, and bigrams of such stems."""
    keep = ~words.stops
    pairs = keep[:-1] & keep[1:]
    singles, doubles = words.hashes[keep], run_hashes(words.hashes, 2)[pairs]
    first = words.hashes[: words.title][keep[: words.title]]
    second = run_hashes(words.hashes[: words.title], 2)[pairs[: max(0, words.title - 1)]]
    hashes, counts = np.unique(np.concatenate([singles, doubles, first, second]), return_counts=True)
    return DocumentTerms(hashes, counts)
