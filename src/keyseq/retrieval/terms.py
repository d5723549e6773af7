"""A document as the terms by which profiles and neighbours know it: stems, and pairs of stems in a row."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keyseq.text.analyzer import ENGLISH
from keyseq.text.hashing import BREAK, Hashes, distinct, find, phrase_hash, run_hashes, stem_hashes
from keyseq.text.stopwords import FUNCTION_WORDS
from keyseq.types import TITLE_SEPARATOR, Document

ANALYZER = ENGLISH.with_tokenizer("unicode")  # of all corpora that are counted, and of their keyphrases

# marks at which a phrase ends but which the tokenizers drop: read as a full stop, which they keep
_MARKS = str.maketrans(dict.fromkeys(';:!?"“”„«»—–•|[]{}=', ".") | {"’": "'"})

# Function words that are their own stems: "using" and "makes" have those of "land use" and "decision making"
_STEMS = [
    word for word in FUNCTION_WORDS if ANALYZER.stems([word]) == [word] and word != "mine"
]  # "data mining" has its stem
STOP_WORDS = distinct(np.array([phrase_hash([word]) for word in _STEMS], dtype=np.uint32))


class StemmedWords(NamedTuple):
    """The stems of a document as numbers, and how many of them are the title's."""

    hashes: Hashes  # (N,)
    title: int

    @property
    def stops(self) -> NDArray[np.bool_]:
        """Which of them are marks or stop words (N,)."""
        stops: NDArray[np.bool_] = (find(STOP_WORDS, self.hashes) >= 0) | (self.hashes == BREAK)
        return stops


def words_of(document: Document) -> StemmedWords:
    """Read a document's words for counting."""
    title, body = (stem_hashes(ANALYZER.text_stems(text.translate(_MARKS))) for text in (document.title, document.body))
    joint = stem_hashes(ANALYZER.text_stems(TITLE_SEPARATOR)) if len(title) and len(body) else title[:0]
    return StemmedWords(np.concatenate([title, joint, body]), len(title))


class DocumentTerms(NamedTuple):
    """The different terms of a document (M,), and how often it has each; those of the title count twice."""

    hashes: Hashes
    counts: NDArray[np.int64]


def terms(words: StemmedWords) -> DocumentTerms:
    """Stems that are no stop words, and pairs of such stems in a row."""
    keep = ~words.stops
    pairs = keep[:-1] & keep[1:]
    singles, doubles = words.hashes[keep], run_hashes(words.hashes, 2)[pairs]
    first = words.hashes[: words.title][keep[: words.title]]
    second = run_hashes(words.hashes[: words.title], 2)[pairs[: max(0, words.title - 1)]]
    hashes, counts = np.unique(np.concatenate([singles, doubles, first, second]), return_counts=True)
    return DocumentTerms(hashes, counts)
