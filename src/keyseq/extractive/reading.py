"""A text analysed once for all rankers: words, stems, and units with their word classes."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import SourceText
from keyseq.text.segmentation import Segmenter
from keyseq.text.stopwords import FOREIGN_FUNCTION_WORDS, FUNCTION_WORDS, VAGUE_MODIFIERS
from keyseq.text.tagging import MEMO_SIZE, Tagger
from keyseq.text.tokenize import APART, DIGIT, ELIDED, RUNS, UNSPACED

if TYPE_CHECKING:
    import regex

NOUN, ADJECTIVE, PARTICIPLE, GERUND, CHARACTER, OTHER, BREAK = "NAVGHx|"
LONGEST_UNIT = 64  # characters: anything longer is not a word
KNOWN = 0.5  # minimum fraction of words in the tagger's lexicon for the tagger to be used
SHORT = 3  # letters: in a language without a tagger, words up to this length count as function words

_CLASSES = {
    **dict.fromkeys(("NN", "NNS", "NNP", "NNPS"), NOUN),
    "JJ": ADJECTIVE,
    **dict.fromkeys(("VBN", "VBD"), PARTICIPLE),  # the tagger often confuses them
    "VBG": GERUND,
}
_CONTRACTIONS = tuple(mark + end for mark in "'’" for end in ("t", "re", "ve", "ll", "d", "m"))
FUNCTION = "function"  # the kind of a particle or an ending, or of a word that is no noun
_LETTERS = ("word", "character", FUNCTION)  # the kinds of units that are not punctuation
Unit = tuple[str, str | None, int]  # the unit as in the text, its kind, and where it begins
_TAGGED_MARKS = frozenset(',:;()"')  # the tagger ignores the others

# A word is not split at a hyphen, at an apostrophe ("O'Brien", "don't"; except a possessive and the elided articles of
# French and Italian), or at the dot of "node.js".
_UNIT = r"""
    (?P<word> WORD++ (?: [-‐‑] WORD++
                       | NOT_ELIDED ['’] (?! s (?!WORD) ) WORD++
                       | \. (?: js | net | com | org | io ) (?!WORD) )*+ )
  | (?P<possessive> ['’] s (?!WORD) )
  | (?P<end> [.?!…。！？؟।]{1,9}+ (?=\s|$) | \n\s*\n )
  | (?P<mark> <digit> | \S )
"""
_ASCII_WORD = r"[a-zA-Z0-9#&+*]"
_CHARACTER = rf"(?P<character> [{UNSPACED}]\p{{M}}* ) |"
_NOT_ELIDED = r"(?<!\b[cdjlmnstL]) (?<!\b[qQ]u)"
# What tokenizers of a language do otherwise: runs to be cut into words, apostrophes that are no marks, endings
_FIRST = {name: rf"(?P<run> {run} ) |" for name, run in RUNS.items()} | {
    "elision": rf"(?P<none> (?<=\b{ELIDED}) ['’] (?=\p{{L}}) ) |",
    "turkish": r"(?P<none> (?<=\p{L}) ['’] (?=\p{L}) ) | (?P<function> (?<=\p{L}['’]) \p{L}++ ) |",
}
_APOSTROPHES = {"elision": rf"(?<!\b{ELIDED})", "turkish": r"(?!)"}  # those that do not divide a word


@cache
def _units(ascii_only: bool, tokenizer: str) -> "re.Pattern[str] | regex.Pattern[str]":
    unit = _UNIT.replace("NOT_ELIDED", _APOSTROPHES.get(tokenizer, _NOT_ELIDED))
    if ascii_only and tokenizer not in _APOSTROPHES:
        return re.compile(unit.replace("WORD", _ASCII_WORD), re.VERBOSE)
    import regex  # not needed for ASCII

    word = rf"(?:[[\p{{L}}\p{{N}}#&+*]--[{UNSPACED}{APART.get(tokenizer, '')}]]\p{{M}}*)"
    beyond = _FIRST.get(tokenizer, "") + _CHARACTER + unit.replace("WORD", word)
    return regex.compile(beyond, regex.VERBOSE | regex.VERSION1)


class Reading:
    """The units of a text: words, including hyphenated compounds, and punctuation.

    `classes` has one letter per unit, so that phrases can be found by a regular expression. The units [first, last)
    are the source words [`starts[first]`, `starts[last]`). `is_tagged` tells whether a tagger determined the classes,
    `has_nouns` whether they tell nouns from other words, by a tagger or by capitals,
    `is_foreign` whether the text is in another language than the analyzer's, which only a tagger can detect.
    """

    def __init__(self, text: str, analyzer: Analyzer = ENGLISH) -> None:
        analyzer = analyzer.of_text(text)
        self.source = SourceText(text, analyzer.for_text(text))
        pattern = _units(text.isascii(), self.source.analyzer.tokenizer)
        found = [(match[0], match.lastgroup, match.start()) for match in pattern.finditer(text)]
        if self.source.analyzer.tokenizer in _FIRST:
            found = list(_cut(found, self.source.analyzer.segmenter))
        self.units = [unit for unit, _, _ in found]
        self._kinds = [kind for _, kind, _ in found]
        places = self.source.starts
        self.starts = [*(bisect_left(places, start) for _, _, start in found), len(places)]
        self.is_foreign = analyzer.tagger is not None and not self._is_known(analyzer.tagger)
        self.is_tagged = analyzer.tagger is not None and not self.is_foreign
        self.has_nouns = self.is_tagged or (analyzer.capitalises_nouns and not text.isupper() and not text.islower())
        self.classes = "".join(self._classes(analyzer))

    def stems(self, first: int, last: int) -> tuple[str, ...]:
        """The stems of the words of consecutive units."""
        return tuple(self.source.stems[self.starts[first] : self.starts[last]])

    def surface(self, first: int, last: int) -> str:
        """The text of consecutive units, white space collapsed."""
        tokens = self.source.tokens
        start, end = tokens[self.starts[first]].start, tokens[self.starts[last] - 1].end
        return " ".join(self.source.text[start:end].split())

    def _classes(self, analyzer: Analyzer) -> Iterable[str]:
        """Word classes by the tagger; without one, by stop words; if the text is in another language than declared, by
        frequent function words of several languages."""
        tagger = analyzer.tagger
        if tagger is None:
            classify = _class_by_capital if self.has_nouns else _untagged_class
            found = map(partial(classify, analyzer.stop_words, analyzer.lower), self.units, self._kinds)
            return map(partial(_unless_verb, analyzer.verbs), self.units, found)
        return self._tagged_classes(tagger) if self.is_tagged else map(_foreign_class, self.units, self._kinds)

    def _is_known(self, tagger: Tagger) -> bool:
        words = [unit for unit, kind in zip(self.units, self._kinds, strict=True) if kind in _LETTERS]
        return tagger.known(words) >= KNOWN * len(words)

    def _tagged_classes(self, tagger: Tagger) -> Iterable[str]:
        words = list(map(_forms(tagger).__getitem__, zip(self.units, self._kinds, strict=True)))
        ends = [at for at, kind in enumerate(self._kinds, start=1) if kind == "end"]
        tags: list[str] = []
        for first, last in pairwise([0, *ends, len(words)]):
            tags += tagger.tag(words[first:last])
        return map(_CLASSES_BY_UNIT.__getitem__, zip(self.units, self._kinds, tags, strict=True))


class _ByUnit(dict[tuple[str | None, ...], str]):
    """What a function finds for a unit, computed once; bounded, and without what is too long for a word."""

    def __init__(self, function: Callable[..., str]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, key: tuple[str | None, ...]) -> str:
        found = self._function(*key)
        if len(key[0] or "") <= LONGEST_UNIT:
            if len(self) >= MEMO_SIZE:
                self.clear()
            self[key] = found
        return found


@cache
def _forms(tagger: Tagger) -> _ByUnit:
    """Units as a tagger reads them."""
    return _ByUnit(partial(_for_tagger, tagger))


def _for_tagger(tagger: Tagger, unit: str, kind: str | None) -> str:
    if kind == "word":  # capitals of a title would make every word a proper noun
        return unit.lower() if unit.istitle() and tagger.knows(unit) else unit
    if kind == "end":
        return "."
    if kind == "possessive":
        return "'s"
    if unit == DIGIT:
        return "0"
    return unit if unit in _TAGGED_MARKS else ":"


def _tagged_class(unit: str, kind: str | None, tag: str) -> str:
    if kind != "word":
        return BREAK
    found = _CLASSES.get(tag, OTHER)
    if found == OTHER or len(unit) > LONGEST_UNIT or unit.endswith(_CONTRACTIONS):
        return OTHER
    folded = unit.lower()
    if folded in FUNCTION_WORDS or (found != NOUN and folded in VAGUE_MODIFIERS):
        return OTHER
    return found


_CLASSES_BY_UNIT = _ByUnit(_tagged_class)


def _cut(units: Iterable["Unit"], segmenter: Segmenter | None) -> Iterator["Unit"]:
    """The units of a text, runs cut into words, without the apostrophes that are no marks."""
    for unit, kind, start in units:
        if kind == "run" and segmenter is not None:
            for word, at, content in segmenter(unit):
                yield word, "word" if content else FUNCTION, start + at
        elif kind != "none":
            yield unit, kind, start


def _untagged_class(stop_words: frozenset[str], lower: Callable[[str], str], unit: str, kind: str | None) -> str:
    if kind not in _LETTERS:
        return BREAK
    if kind == "character":
        return CHARACTER
    if kind == FUNCTION or len(unit) > LONGEST_UNIT or unit.isdecimal() or lower(unit) in stop_words:
        return OTHER
    return NOUN


def _unless_verb(verbs: re.Pattern[str], unit: str, found: str) -> str:
    return OTHER if unit[0].islower() and verbs.fullmatch(unit) else found


def _class_by_capital(stop_words: frozenset[str], lower: Callable[[str], str], unit: str, kind: str | None) -> str:
    """In German, words without a capital are not nouns; those with the ending of an adjective may precede one."""
    found = _untagged_class(stop_words, lower, unit, kind)
    if found != NOUN or not unit[0].islower():
        return found
    return ADJECTIVE if unit.endswith(_ADJECTIVE_ENDINGS) else OTHER


_ADJECTIVE_ENDINGS = ("e", "en", "er", "es", "em")


def _foreign_class(unit: str, kind: str | None) -> str:
    if kind not in _LETTERS:
        return BREAK
    if kind == "character":
        return CHARACTER
    folded = unit.casefold()
    if not SHORT < len(unit) <= LONGEST_UNIT or folded in FOREIGN_FUNCTION_WORDS or folded in FUNCTION_WORDS:
        return OTHER
    return NOUN
