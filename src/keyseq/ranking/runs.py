"""The runs of words of a text that may be phrases, each once, with where and how the text has it; as arrays."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keyseq.extractive.candidates import NOUN_PHRASE
from keyseq.extractive.reading import ADJECTIVE, OTHER, Reading
from keyseq.extractive.reading import BREAK as MARK
from keyseq.text.hashing import BREAK, LONGEST, MULTIPLIER, Hashes, run_hashes, stem_hashes

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Tokens:
    """The words of a text as arrays (T,)."""

    hashes: Hashes
    classes: NDArray[np.uint8]  # letters of `Reading.classes`
    stops: Flags  # marks and stop words, which no run begins or ends with
    breaks: Flags  # a mark, or one that is no word of its own stands before: no run goes across
    inner: Flags  # adjectives of a language whose nouns are known by capitals, which no run ends with
    generic: Flags  # words that are no run by themselves, nor with others of the kind
    title: int  # how many are the title's

    @classmethod
    def of(cls, reading: Reading, title: str) -> "Tokens":
        """Lay a text's words out."""
        hashes = stem_hashes(reading.source.stems)
        starts, analyzer = np.array(reading.starts), reading.source.analyzer
        units = np.frombuffer(reading.classes.encode(), dtype=np.uint8)
        before = np.zeros(len(hashes) + 1, dtype=bool)
        before[starts[:-1][units == ord(MARK)]] = True
        marks, lengths = hashes == BREAK, np.diff(starts)
        folded = list(map(analyzer.lower, reading.units))
        stops = np.array([unit in analyzer.stop_words for unit in folded], dtype=bool)
        if not reading.is_tagged:
            stops |= units == ord(OTHER)
        inner, generic = np.zeros((2, len(units)), dtype=bool)
        if analyzer.tagger is None:  # which would tell
            inner = (units == ord(ADJECTIVE)) & reading.has_nouns
            generic = np.array([unit in analyzer.generic_nouns for unit in folded], dtype=bool)
        in_title = bisect_left(reading.source.starts, len(title))
        return cls(
            hashes,
            np.repeat(units, lengths),
            np.repeat(stops, lengths) | marks,  # a compound such as "trade-off" is no stop word
            before[:-1] | marks,
            np.repeat(inner, lengths),
            np.repeat(generic, lengths),
            in_title,
        )

    def runs(self, length: int) -> Hashes:
        """The numbers of all runs of this many words."""
        return run_hashes(self.hashes, length)


@dataclass(frozen=True)
class Runs:
    """Distinct runs (R,) in the order of their numbers, and their occurrences (O,), sorted by run."""

    keys: Hashes  # (R,) sorted
    lengths: Integers  # (R,) words
    counts: Integers  # (R,)
    offsets: Integers  # (R + 1,) of the occurrences
    places: Integers  # (O,) first word of each occurrence, ascending within a run
    extended: Integers  # (R,) how often the text has the most frequent run that is one word longer

    @cached_property
    def first(self) -> Integers:
        """Where each run first stands (R,)."""
        return self.places[self.offsets[:-1]]

    @cached_property
    def last(self) -> Integers:
        """Where each run last stands (R,)."""
        return self.places[self.offsets[1:] - 1]

    def share(self, flags: NDArray[np.bool_]) -> Floats:
        """Of each run's occurrences, the share with this flag (O,)."""
        totals: Floats = np.add.reduceat(flags.astype(float), self.offsets[:-1]) if len(flags) else np.zeros(0)
        return totals / self.counts

    @cached_property
    def owners(self) -> Integers:
        """The run of each occurrence (O,)."""
        return np.repeat(np.arange(len(self.keys)), self.counts)


def find_runs(tokens: Tokens) -> Runs:
    """All runs of up to `LONGEST` words without a mark inside and without a stop word at either end."""
    size = len(tokens.hashes)
    good, unbroken = ~tokens.stops, ~tokens.breaks
    last = good & ~tokens.inner
    specific = np.concatenate([[0], np.cumsum(good & ~tokens.generic)])  # words before each place
    keys, places = [], []
    run, whole = tokens.hashes, np.ones(size, dtype=bool)  # of one word from each place, then of one more, and so on
    for length in range(1, min(LONGEST, size) + 1):
        if length > 1:
            run = run[:-1] * np.uint32(MULTIPLIER) + tokens.hashes[length - 1 :]
            whole = whole[:-1] & unbroken[length - 1 :]
        says = specific[length:] > specific[:-length]
        starts = np.flatnonzero(whole & good[: len(whole)] & last[length - 1 :] & says)
        keys.append(run[starts])
        places.append(starts)
    if not keys:
        return _laid_out(tokens.hashes[:0], np.zeros(0, dtype=int), np.zeros(0, dtype=int), size)
    lengths = np.repeat(np.arange(1, len(keys) + 1), [len(some) for some in keys])
    return _laid_out(np.concatenate(keys), np.concatenate(places), lengths, size)


def _laid_out(keys: Hashes, places: Integers, lengths: Integers, size: int) -> Runs:
    order = np.argsort(keys, kind="stable")  # shorter ones and earlier places come first, and stay so
    keys, places, lengths = keys[order], places[order], lengths[order]
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])[: len(keys)])
    offsets = np.concatenate([begins, [len(keys)]])
    counts = np.diff(offsets)
    frequency = np.zeros((LONGEST + 2, size + 2), dtype=int)  # of the run of so many words from each place - 1
    frequency[lengths, places + 1] = np.repeat(counts, counts)
    # one word more on the left, or on the right
    wider = np.maximum(frequency[lengths + 1, places], frequency[lengths + 1, places + 1])
    longer = np.maximum.reduceat(wider, begins) if len(begins) else counts
    return Runs(keys[begins], lengths[begins], counts, offsets, places, longer)


def stand_alone(runs: Runs, tokens: Tokens) -> Flags:
    """Which occurrences (O,) have a mark, a stop word or the end of the text on both sides."""
    closed = np.concatenate([[True], tokens.stops, [True]])
    broken = np.concatenate([tokens.breaks, [True]])
    ends = runs.places + runs.lengths[runs.owners]
    left = closed[runs.places] | broken[runs.places]
    right = closed[ends + 1] | broken[ends]
    alone: Flags = left & right
    return alone


def are_noun_phrases(runs: Runs, reading: Reading) -> Flags:
    """Which occurrences (O,) are whole noun phrases by their word classes."""
    starts = np.array(reading.starts)
    ends = np.full(len(reading.source.stems) + 1, -1)
    for match in NOUN_PHRASE.finditer(reading.classes):
        ends[starts[match.start()]] = starts[match.end()]
    whole: Flags = ends[runs.places] == runs.places + runs.lengths[runs.owners]
    return whole
