"""Stemmers by name, memoised: NLTK's Porter in its default mode, by which all published numbers were computed, for
English, and the Snowball stemmers for other languages."""

from collections.abc import Callable
from functools import cache

from keyseq.imports import import_leaf
from keyseq.languages import STEMMERS, check_part
from keyseq.text.tokenize import DIGIT, is_number

LONGEST_WORD = 64
MEMO_SIZE = 1_000_000
PORTER, NONE, _SNOWBALL = "nltk-porter", "none", "snowball-"


class _Stems(dict[str, str]):
    """Stems by word, computed when first asked for and bounded in number."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

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


# made at first use, so that a command which stems nothing loads no stemmer
@cache
def stems_by_word(stemmer: str) -> dict[str, str]:
    """The stems of normalised words."""
    return _Stems(_stemmer(stemmer))


@cache
def stems_by_folded_word(stemmer: str) -> dict[str, str]:
    """The stems of words whose case is folded, but which have not been through the digit rule."""
    return _FoldedStems(_stemmer(stemmer))


def versioned(stemmer: str) -> str:
    """A stemmer's name, with the release where stems change from one to the next: "snowball-german-3.1.1"."""
    if not stemmer.startswith(_SNOWBALL):
        return stemmer
    from importlib.metadata import version  # slow to import

    return f"{stemmer}-{version('snowballstemmer')}"


def _stemmer(name: str) -> Callable[[str], str]:
    check_part("stemmer", name, STEMMERS)
    if name == NONE:
        return str
    if name == PORTER:
        porter: Callable[[str], str] = import_leaf("nltk.stem.porter").PorterStemmer().stem
        return porter
    language = name.removeprefix(_SNOWBALL)
    kind = getattr(import_leaf(f"snowballstemmer.{language}_stemmer"), f"{language.title()}Stemmer")
    # a new one for each word that was never seen: they keep their word in themselves, and threads share the memo
    return lambda word: str(kind().stemWord(word))
