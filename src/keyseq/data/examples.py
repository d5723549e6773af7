"""Training examples of a network: source words, and keyphrases in target order."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.config import TargetSettings
from keyseq.text.analyzer import Analyzer
from keyseq.text.presence import StemmedText, phrase_words, without_brackets
from keyseq.text.tokenize import DIGIT
from keyseq.types import Document

ABSENT = -1

# The filter of the released code: symbols that keyphrases should not contain, and codes of the Mathematics Subject
# Classification.
_MARKS = frozenset(',_"<>(){}[]?~`!@$%^=')
_SUBJECT_CODE = re.compile(r"\d\d[a-zA-Z-]\d\d")
_LONG = 5  # in a phrase of more words, at least half must be distinct


@dataclass(frozen=True, slots=True)
class TargetPhrase:
    """A target keyphrase, and the source index of its first occurrence (or `ABSENT`)."""

    words: tuple[str, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Example:
    """The truncated source of a document, its `targets` in order, and what was `retrieved` for it, if anything."""

    source: list[str]
    targets: list[TargetPhrase]
    document: Document
    retrieved: Sequence[str] = ()


@dataclass(slots=True)
class Dropped:
    """The number of dropped documents and keyphrases, by reason."""

    documents: Counter[str] = field(default_factory=Counter)
    phrases: Counter[str] = field(default_factory=Counter)

    def update(self, other: "Dropped") -> None:
        """Add the counts of another part of the corpus."""
        self.documents.update(other.documents)
        self.phrases.update(other.phrases)


def _by_occurrence(target: TargetPhrase) -> tuple[bool, int]:
    return target.position == ABSENT, target.position


def _absent_first(target: TargetPhrase) -> tuple[bool, int]:
    return target.position != ABSENT, target.position


def _as_given(_: TargetPhrase) -> int:
    return 0


# Sort keys; sorting is stable, so ties keep the order of the document. The released code calls these verbatim_append
# or pres_abs, abs_pres, nosort, random, alphab and length.
ORDERS: dict[str, Callable[[TargetPhrase], Any]] = {
    "present-absent": _by_occurrence,
    "absent-present": _absent_first,
    "given": _as_given,
    "random": _as_given,
    "alphabetical": lambda target: target.words,
    "length": lambda target: len(target.words),
}


def example(document: Document, settings: TargetSettings, dropped: Dropped) -> Example | None:
    """The example of a document, or None, with the reason counted in `dropped`."""
    source = Analyzer.of(settings).words(document.text)[: settings.source_words]
    if not source:
        dropped.documents["no words"] += 1
        return None
    targets = list(_targets(document.keyphrases or (), source, settings, dropped))
    if not targets:
        dropped.documents["no keyphrases" if not document.keyphrases else "no keyphrase passed the filter"] += 1
        return None
    return Example(source, sorted(targets, key=ORDERS[settings.order]), document)


TITLE_WORDS = 40  # of a title to be learnt, as in Semi-Multi


def title_example(document: Document, settings: TargetSettings, dropped: Dropped) -> Example | None:
    """A document without its title, which is the target; or None, with the reason counted in `dropped`."""
    analyzer = Analyzer.of(settings)
    source = analyzer.words(document.body)[: settings.source_words]
    title = tuple(analyzer.words(document.title)[:TITLE_WORDS])
    if not source or not title:
        dropped.documents["no words" if title else "no title"] += 1
        return None
    return Example(source, [TargetPhrase(title, ABSENT)], replace(document, title=""))


def _targets(
    phrases: Iterable[str], source: list[str], settings: TargetSettings, dropped: Dropped
) -> Iterable[TargetPhrase]:
    analyzer = Analyzer.of(settings)
    text = StemmedText(analyzer.stems(source))
    seen, taken = set[tuple[str, ...]](), set[tuple[str, ...]]()
    for phrase in phrases:
        target = tuple(phrase_words(phrase, analyzer))
        fault = "given twice" if target in seen else _fault(phrase, target, settings)
        if fault:
            dropped.phrases[fault] += 1
            continue
        seen.add(target)
        position = next(text.positions(analyzer.stems(target)), ABSENT)
        if settings.present_only:
            target = tuple(source[position : position + len(target)])
            if position == ABSENT or target in taken:
                dropped.phrases["absent" if position == ABSENT else "given twice"] += 1
                continue
            taken.add(target)
        yield TargetPhrase(target, position)


def _fault(phrase: str, target: tuple[str, ...], settings: TargetSettings) -> str | None:
    """The reason to drop a keyphrase, if any."""
    if not target:
        return "no words"
    if 0 < settings.phrase_words < len(target):
        return "too long"
    if not settings.filter:
        return None
    if not _MARKS.isdisjoint(without_brackets(phrase).replace(DIGIT, "")):
        return "punctuation"
    if len(target) > _LONG and len(set(target)) < len(target) / 2:
        return "repeats its words"
    return "subject code" if _SUBJECT_CODE.fullmatch(phrase.strip()) else None


def ordered(positions: NDArray[np.int32], settings: TargetSettings) -> NDArray[np.int64]:
    """The order of phrases whose positions have changed, where it depends on these."""
    if settings.order not in ("present-absent", "absent-present"):
        return np.arange(len(positions))
    is_later = (positions == ABSENT) == (settings.order == "present-absent")
    return np.lexsort((positions, is_later))


def sampled_phrases(
    positions: NDArray[np.int32], settings: TargetSettings, key: tuple[int, int, int]
) -> NDArray[np.int64]:
    """The indices of the phrases in the target sequence of an epoch, in order.

    Documents with more than `phrases` are sampled, differently in each epoch. `key` is (seed, epoch, document) and
    seeds all random choices, so that a run can resume anywhere without stored random states.
    """
    numbers = np.arange(len(positions))
    limit = settings.phrases or len(numbers)
    shuffled = _shuffled(positions, settings)
    if len(numbers) <= limit and np.count_nonzero(shuffled) < 2:
        return numbers
    generator = np.random.default_rng(key)
    if len(numbers) > limit:
        numbers = np.sort(generator.choice(numbers, limit, replace=False))
    slots = np.flatnonzero(shuffled[numbers])
    numbers[slots] = generator.permutation(numbers[slots])
    return numbers


def _shuffled(positions: NDArray[np.int32], settings: TargetSettings) -> NDArray[np.bool_]:
    """The mask of phrases that are shuffled in each epoch."""
    if settings.order == "random":
        return np.ones(len(positions), dtype=bool)
    if settings.shuffle_absent and settings.order in ("present-absent", "absent-present"):
        return np.equal(positions, ABSENT)
    return np.zeros(len(positions), dtype=bool)
