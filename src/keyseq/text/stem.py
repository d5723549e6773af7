"""NLTK's Porter stemmer in its default mode, by which all published numbers were computed; memoised."""

from collections.abc import Iterable
from functools import cache

from keyseq.imports import import_leaf
from keyseq.text.tokenize import DEFAULT, DIGIT, folded, is_number

LONGEST_WORD = 64
MEMO_SIZE = 1_000_000


class _Stems(dict[str, str]):
    """Stems by word, computed when first asked for and bounded in number."""

    def __init__(self) -> None:
        super().__init__()
        self._stem = import_leaf("nltk.stem.porter").PorterStemmer().stem

    def __missing__(self, word: str) -> str:
        if len(word) > LONGEST_WORD:  # no word of a language: base64, a URL without marks, a row of genes
            return word
        if len(self) >= MEMO_SIZE:
            self.clear()
        # an empty stem would make two phrases of different length look alike
        self[word] = stemmed = self._stem(word) or word
        return stemmed


class _FoldedStems(_Stems):
    """The same for words that have not been through the digit rule."""

    def __missing__(self, word: str) -> str:
        return DIGIT if is_number(word) else super().__missing__(word)


# made at first use, so that a command which stems nothing loads no NLTK
_memo = cache(_Stems)
_folded_memo = cache(_FoldedStems)


def stem(word: str) -> str:
    """Stem one normalised word."""
    return _memo()[word]


def stems(words: Iterable[str]) -> list[str]:
    """Stem normalised words."""
    return list(map(_memo().__getitem__, words))


def text_stems(text: str, tokenizer: str = DEFAULT) -> list[str]:
    """Cut a text into words and stem them: `stems(words(text))`, but faster."""
    return list(map(_folded_memo().__getitem__, folded(text, tokenizer)))
