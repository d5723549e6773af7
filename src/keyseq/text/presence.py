"""Presence of a phrase in a text: consecutive whole words with the same stems."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from unicodedata import combining, east_asian_width

from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.tokenize import Token

# without a limit, brackets that nobody closes would take the square of their number
_BRACKETED = re.compile(r"\([^)\n]{0,500}\)|\[[^]\n]{0,500}\]|\{[^}\n]{0,500}\}")


def without_brackets(phrase: str) -> str:
    """A keyphrase without bracketed parts: "support vector machine (SVM)"."""
    return _BRACKETED.sub("", phrase) if "(" in phrase or "[" in phrase or "{" in phrase else phrase


def phrase_words(phrase: str, analyzer: Analyzer = ENGLISH) -> list[str]:
    """The words of a keyphrase, without bracketed parts."""
    return analyzer.words(without_brackets(phrase))


def phrase_stems(phrase: str, analyzer: Analyzer = ENGLISH) -> list[str]:
    """The stems of a keyphrase, without bracketed parts."""
    return analyzer.text_stems(without_brackets(phrase))


class StemmedText:
    """The stems of a text, joined such that finding a phrase is one substring search."""

    def __init__(self, text_stems: Sequence[str]) -> None:
        # stems contain no spaces, so a match that begins and ends with one is a match of whole words
        self._line = f" {' '.join(text_stems)} "

    @classmethod
    def of(cls, text: str, analyzer: Analyzer = ENGLISH) -> "StemmedText":
        """Tokenize and stem a text."""
        return cls(analyzer.text_stems(text))

    def __contains__(self, phrase: Sequence[str]) -> bool:
        """Whether the stemmed phrase occurs. The empty phrase does, as in the published statistics."""
        return not phrase or f" {' '.join(phrase)} " in self._line

    def has_characters(self, phrase: Sequence[str]) -> bool:
        """Whether the stemmed phrase occurs as a substring, even inside words."""
        return " ".join(phrase) in self._line

    def positions(self, phrase: Sequence[str]) -> Iterator[int]:
        """Yield the index of the first word of each occurrence."""
        if not phrase:
            return
        needle = f" {' '.join(phrase)} "
        at, counted, position = self._line.find(needle), 0, 0
        while at >= 0:
            position += self._line.count(" ", counted, at)
            counted = at
            yield position
            at = self._line.find(needle, at + 1)


class SourceText:
    """The words of a text with their offsets, for finding the spans of phrases."""

    def __init__(self, text: str, analyzer: Analyzer = ENGLISH) -> None:
        self.text, self.analyzer = text, analyzer

    def under(self, analyzer: Analyzer) -> "SourceText":
        """The same text under another analyzer."""
        return self if analyzer == self.analyzer else SourceText(self.text, analyzer)

    @cached_property
    def tokens(self) -> list[Token]:
        """The words as the text has them, with their offsets."""
        return self.analyzer.tokenize(self.text)

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each word."""
        return [start for _, start, _ in self.tokens]

    @cached_property
    def words(self) -> list[str]:
        """The normalised words."""
        return self.analyzer.words(self.text)

    @cached_property
    def stems(self) -> list[str]:
        """The stems of the words."""
        return self.analyzer.stems(self.words)

    @cached_property
    def _stemmed(self) -> StemmedText:
        return StemmedText(self.stems)

    def spans(self, phrase: Sequence[str]) -> tuple[tuple[int, int], ...]:
        """The character offsets of every occurrence of a stemmed phrase."""
        return tuple(
            self._whole(self.tokens[first].start, self.tokens[first + len(phrase) - 1].end)
            for first in self._stemmed.positions(phrase)
        )

    def _whole(self, start: int, end: int) -> tuple[int, int]:
        """The span extended to whole words: `meng17` splits "Poincaré" at its é, which should not be visible."""
        while start > 0 and _goes_on(self.text[start - 1]):
            start -= 1
        while end < len(self.text) and _goes_on(self.text[end]):
            end += 1
        return start, end


def _goes_on(character: str) -> bool:
    """Whether a word continues with an adjacent character; scripts without spaces have wide characters."""
    return (character.isalnum() or combining(character) > 0) and east_asian_width(character) not in "WF"
