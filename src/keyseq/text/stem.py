"""Stemmers by name, memoised: for English Porter's as NLTK has it, as in all published results, the Snowball
stemmers for other languages, a light one for labels of vocabularies, and lemmas by simplemma."""

from collections.abc import Callable
from functools import cache

from keyseq.imports import import_leaf, require
from keyseq.languages import LEMMATIZERS, LIGHT_ENGLISH, STEMMERS, check_part
from keyseq.text.tokenize import BETWEEN, DIGIT, is_number

LONGEST_WORD = 64
MEMO_SIZE = 1_000_000
PORTER, NONE, _SNOWBALL = "nltk-porter", "none", "snowball-"


class _Stems(dict[str, str]):
    """A bounded cache of stems by word."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, word: str) -> str:
        if len(word) > LONGEST_WORD:  # not a word: base64, a URL without punctuation, a gene sequence
            return word
        if len(self) >= MEMO_SIZE:
            self.clear()
        # an empty stem would make two phrases of different length equal
        self[word] = stemmed = word if word == BETWEEN else self._stem(word) or word
        return stemmed


class _FoldedStems(_Stems):
    """The same for words to which the digit rule was not applied."""

    def __missing__(self, word: str) -> str:
        return DIGIT if is_number(word) else super().__missing__(word)


# created on first use, so that a command without stemming loads no stemmer
@cache
def stems_by_word(stemmer: str) -> dict[str, str]:
    """The stems of normalised words."""
    return _Stems(_stemmer(stemmer))


@cache
def stems_by_folded_word(stemmer: str) -> dict[str, str]:
    """The stems of case-folded words to which the digit rule was not applied."""
    return _FoldedStems(stems_by_word(stemmer).__getitem__)  # no word is stemmed twice


def versioned(stemmer: str) -> str:
    """The name of a stemmer, with the version if stems depend on it: "snowball-german-3.1.1"."""
    package = "simplemma" if stemmer in LEMMATIZERS else "snowballstemmer"
    if package == "snowballstemmer" and not stemmer.startswith(_SNOWBALL):
        return stemmer
    from importlib.metadata import version  # slow to import

    return f"{stemmer}-{version(package)}"


def _stemmer(name: str) -> Callable[[str], str]:
    check_part("stemmer", name, STEMMERS)
    if name == NONE:
        return str
    if name == PORTER:
        from keyseq.text.porter import porter_stem

        return porter_stem
    if name == LIGHT_ENGLISH:
        from keyseq.text.light_stem import light_stem

        return light_stem
    if name in LEMMATIZERS:
        lemmatize = require("simplemma", "lemmas").lemmatize
        return lambda word: str(lemmatize(word, lang=LEMMATIZERS[name])).casefold()
    language = name.removeprefix(_SNOWBALL)
    kind = getattr(import_leaf(f"snowballstemmer.{language}_stemmer"), f"{language.title()}Stemmer")
    # a new stemmer for each uncached word: stemmers hold the current word, and threads share the cache
    return lambda word: str(kind().stemWord(word))
