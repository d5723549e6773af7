"""The supported languages, with the components of their analyzers by name."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from keyseq.errors import KeyseqError

ENGLISH = "en"
ANY = "mul"  # ISO 639-2 for several languages: a system for any, whose analyzer is that of each text
UNKNOWN = "und"  # ISO 639-2 for undetermined
LIGHT_ENGLISH = "light-english"


@dataclass(frozen=True, slots=True)
class Language:
    """A language and the default components of its analyzer."""

    name: str
    stemmer: str
    tokenizer: str = "unicode"
    stop_words: str = "stopwordsiso"
    light_stemmer: str = ""  # for labels of vocabularies, where `stemmer` takes more than inflections off
    capitalised_nouns: bool = False

    @property
    def tokenizer_at_hand(self) -> str:
        """Its tokenizer; where the package for that is not installed, the one that makes each character a word."""
        return self.tokenizer if _is_installed(SEGMENTERS.get(self.tokenizer, "")) else UNICODE


UNICODE = "unicode"
SEGMENTERS = {"jieba": "rjieba", "ipadic": "lindera"}  # tokenizers that need a package of the extra cjk


@cache
def _is_installed(package: str) -> bool:
    return not package or find_spec(package) is not None


# By ISO 639-1 code. Chinese, Japanese and Korean have no inflection for a stemmer to remove.
LANGUAGES: dict[str, Language] = {
    "en": Language("English", "nltk-porter", "meng17", "keyseq", LIGHT_ENGLISH),  # the first three as published
    "ar": Language("Arabic", "snowball-arabic"),
    "cs": Language("Czech", "snowball-czech"),
    "da": Language("Danish", "snowball-danish"),
    "de": Language("German", "snowball-german", capitalised_nouns=True),
    "es": Language("Spanish", "snowball-spanish"),
    "fi": Language("Finnish", "snowball-finnish"),
    "fr": Language("French", "snowball-french", "elision"),
    "hi": Language("Hindi", "snowball-hindi"),
    "it": Language("Italian", "snowball-italian", "elision"),
    "ja": Language("Japanese", "none", "ipadic"),
    "ko": Language("Korean", "none", "josa"),
    "nl": Language("Dutch", "snowball-dutch"),
    "no": Language("Norwegian", "snowball-norwegian"),
    "pl": Language("Polish", "snowball-polish"),
    "pt": Language("Portuguese", "snowball-portuguese"),
    "ru": Language("Russian", "snowball-russian"),
    "sv": Language("Swedish", "snowball-swedish"),
    "tr": Language("Turkish", "snowball-turkish", "turkish"),
    "zh": Language("Chinese", "none", "jieba"),
}

# Lemmas instead of stems, by the package simplemma; its dictionary of German needs capitals, which folded words lack
_WITH_DICTIONARY = ("cs", "da", "es", "fi", "fr", "hi", "it", "nl", "pl", "pt", "ru", "sv", "tr")
LEMMATIZERS = {f"simplemma-{code}": code for code in _WITH_DICTIONARY}

TOKENIZERS = ("meng17", UNICODE, "elision", "turkish", "josa", *SEGMENTERS)
STEMMERS = (*dict.fromkeys(language.stemmer for language in LANGUAGES.values()), LIGHT_ENGLISH, *LEMMATIZERS)
STOP_WORDS = tuple(dict.fromkeys(language.stop_words for language in LANGUAGES.values()))


def find(code: str) -> Language:
    """Look a language up by its code."""
    if code not in LANGUAGES:
        known = ", ".join(f"{code} ({language.name})" for code, language in LANGUAGES.items())
        raise KeyseqError(f"unknown language '{code}'; choose one of {known}")
    return LANGUAGES[code]


def name_of(code: str) -> str:
    """The English name of a language; its code where keyseq has no analyzer for it."""
    return LANGUAGES[code].name if code in LANGUAGES else code


def check_part(kind: str, name: str, known: Iterable[str]) -> None:
    """Refuse an unknown component of an analyzer."""
    if name not in known:
        raise KeyseqError(f"unknown {kind} '{name}'; choose one of {', '.join(known)}")
