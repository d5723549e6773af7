"""Candidate keyphrases: noun phrases or n-grams of a text, one per distinct sequence of stems."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Literal, NamedTuple

from keyseq.config.fields import check, setting
from keyseq.config.language_settings import LanguageSettings
from keyseq.extractive.characters import recurring
from keyseq.extractive.reading import BREAK, CHARACTER, OTHER, Reading

Stems = tuple[str, ...]
Place = tuple[int, int]  # [first, last) units of a phrase

FEWEST = 5  # candidates within the length limit: with fewer, as in a title, the ends of longer ones are added

# Over the letters of `Reading.classes`. A noun phrase ends in a noun, or in a gerund after one ("data mining") unless
# an object follows the gerund ("networks using deep layers"); a run is the definition of TextRank. A phrase must not
# be preceded by a possible part of it: otherwise, the search would restart at each word of a long sequence.
NOUN_PHRASE = re.compile(r"(?<![AVN])[AVN]*N(?:GN+|G(?!A))?")
_PATTERNS = {"noun-phrases": NOUN_PHRASE, "runs": re.compile(r"[AN]+")}


@dataclass(frozen=True, kw_only=True)
class CandidateSettings(LanguageSettings):
    """Which phrases are candidates, and how many are returned."""

    system: ClassVar[str]

    candidates: Literal["noun-phrases", "runs", "ngrams"] = setting(
        "noun-phrases", "candidates: noun phrases, runs of nouns and adjectives, or n-grams"
    )
    max_words: int = setting(3, "maximum words of a candidate; a hyphenated compound is one word", least=1)
    top: int = setting(10, "maximum number of phrases per document", least=1, most=1_000_000_000)

    def __post_init__(self) -> None:
        super().__post_init__()
        check(self.system, self)


class Candidate(NamedTuple):
    """A candidate keyphrase.

    `places` are its [first, last) units where it is a complete phrase, `positions` the indices of its first word at
    every occurrence of its stems. A single word inside a longer phrase does not count as an occurrence of that word.
    """

    stems: Stems
    places: list[Place]
    positions: list[int]

    @property
    def occurrences(self) -> int:
        """The number of occurrences in the text."""
        return len(self.places) if len(self.stems) == 1 else len(self.positions)


def find_candidates(
    reading: Reading, settings: CandidateSettings, known: Callable[[Stems], bool] | None = None
) -> list[Candidate]:
    """The candidates of a text in the order of first occurrence, including n-grams that are `known`."""
    places: dict[Stems, list[Place]] = {}
    found: Iterable[Place] = chain(_places(reading, settings), recurring(reading))
    if known is not None:
        runs = _bordered_runs(reading, settings.max_words)
        found = sorted({*found, *(place for place in runs if known(reading.stems(*place)))})
    for first, last in found:
        if _may_be_phrase(reading, first, last):
            places.setdefault(reading.stems(first, last), []).append((first, last))
    positions = find_positions(reading.source.stems, places)
    return [Candidate(stems, found, positions[stems]) for stems, found in places.items()]


def find_positions(stems: Sequence[str], phrases: Iterable[Stems]) -> dict[Stems, list[int]]:
    """The positions of many phrases in a text, in one pass per phrase length."""
    found: dict[Stems, list[int]] = {phrase: [] for phrase in phrases}
    for length in {len(phrase) for phrase in found}:
        windows = zip(*(stems[offset:] for offset in range(length)), strict=False)
        for position, window in enumerate(windows):
            if window in found:
                found[window].append(position)
    return found


def _places(reading: Reading, settings: CandidateSettings) -> Iterable[Place]:
    longest = settings.max_words
    if settings.candidates == "ngrams":
        return _bordered_runs(reading, longest)
    found = [match.span() for match in _PATTERNS[settings.candidates].finditer(reading.classes)]
    short = [(first, last) for first, last in found if last - first <= longest]
    return short if len(short) >= FEWEST else [(max(first, last - longest), last) for first, last in found]


def _bordered_runs(reading: Reading, longest: int) -> Iterator[Place]:
    stop_words, lower = reading.source.analyzer.stop_words, reading.source.analyzer.lower
    excluded = OTHER if reading.source.analyzer.tagger is None else BREAK  # endings and particles border no phrase
    borders = [
        kind not in (BREAK, CHARACTER, excluded) and lower(unit) not in stop_words
        for unit, kind in zip(reading.units, reading.classes, strict=True)
    ]
    return _ngrams(reading.classes, borders, longest)


def _ngrams(classes: str, borders: Sequence[bool], longest: int) -> Iterator[Place]:
    """Consecutive units without a break whose first and last may border a phrase."""
    for first in filter(borders.__getitem__, range(len(borders))):
        for last in range(first + 1, min(first + longest, len(borders)) + 1):
            if classes[last - 1] == BREAK:
                break
            if borders[last - 1]:
                yield first, last


def _may_be_phrase(reading: Reading, first: int, last: int) -> bool:
    if last - first > 1 and reading.classes[first] != CHARACTER:
        return True
    analyzer = reading.source.analyzer
    if last - first > 1:  # several characters together may be a stop word
        return "".join(reading.units[first:last]) not in analyzer.stop_words
    word = analyzer.lower(reading.units[first])
    return len(word) > 1 and word not in analyzer.generic_nouns and not word.isdecimal()
