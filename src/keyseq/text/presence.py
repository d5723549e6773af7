"""Is a phrase in a text, and where: whole stemmed words in a row."""

import re
from collections.abc import Iterator, Sequence
from unicodedata import combining, east_asian_width

from keyseq.text.analyzer import ENGLISH, Analyzer

_BRACKETED = re.compile(r"\(.*?\)|\[.*?\]|\{.*?\}")


def without_brackets(phrase: str) -> str:
    """Take out of a keyphrase what it has in brackets: "support vector machine (SVM)"."""
    return _BRACKETED.sub("", phrase) if "(" in phrase or "[" in phrase or "{" in phrase else phrase


def phrase_words(phrase: str, analyzer: Analyzer = ENGLISH) -> list[str]:
    """Cut a keyphrase into words, without what it has in brackets."""
    return analyzer.words(without_brackets(phrase))


def phrase_stems(phrase: str, analyzer: Analyzer = ENGLISH) -> list[str]:
    """Stem a keyphrase's words, without what it has in brackets."""
    return analyzer.text_stems(without_brackets(phrase))


class StemmedText:
    """The stems of a text, laid out so that finding a phrase is one substring search."""

    def __init__(self, text_stems: Sequence[str]) -> None:
        # stems hold no spaces, so a match that begins and ends with one is a match of whole words
        self._line = f" {' '.join(text_stems)} "

    @classmethod
    def of(cls, text: str, analyzer: Analyzer = ENGLISH) -> "StemmedText":
        """Tokenize and stem a text."""
        return cls(analyzer.text_stems(text))

    def __contains__(self, phrase: Sequence[str]) -> bool:
        """Whether the stemmed phrase occurs. The empty phrase does, as in the published statistics."""
        return not phrase or f" {' '.join(phrase)} " in self._line

    def has_characters(self, phrase: Sequence[str]) -> bool:
        """Whether the stemmed phrase occurs anywhere, be it inside of words."""
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
    """A text's words with their places, ready to be asked for the spans of phrases."""

    def __init__(self, text: str, analyzer: Analyzer = ENGLISH) -> None:
        self.text, self.analyzer = text, analyzer
        self.tokens = analyzer.tokenize(text)
        self.words = analyzer.words(text)
        self.stems = analyzer.stems(self.words)
        self._stemmed = StemmedText(self.stems)

    def spans(self, phrase: Sequence[str]) -> tuple[tuple[int, int], ...]:
        """Give the character offsets of every occurrence of a stemmed phrase."""
        return tuple(
            self._whole(self.tokens[first].start, self.tokens[first + len(phrase) - 1].end)
            for first in self._stemmed.positions(phrase)
        )

    def _whole(self, start: int, end: int) -> tuple[int, int]:
        """The span with the rest of its outer words: `meng17` cuts "Poincaré" at its é, which nobody wants to see."""
        while start > 0 and _goes_on(self.text[start - 1]):
            start -= 1
        while end < len(self.text) and _goes_on(self.text[end]):
            end += 1
        return start, end


def _goes_on(character: str) -> bool:
    """Whether a word goes on with a character beside it; scripts without spaces have wide ones."""
    return (character.isalnum() or combining(character) > 0) and east_asian_width(character) not in "WF"
