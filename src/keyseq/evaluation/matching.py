"""Match predictions with gold phrases by the rules of a protocol: which are valid, present, correct."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.evaluation.judgement import GoldTarget, Judgement, Verdict
from keyseq.evaluation.metrics import ALPHA, Counts, Floats, Part
from keyseq.evaluation.protocols import Protocol
from keyseq.evaluation.subject_table import Assigned
from keyseq.languages import TOKENIZERS
from keyseq.text.presence import StemmedText, without_brackets
from keyseq.text.stem import NONE
from keyseq.types import Document

HIT, PRESENT, VALID, DISTINCT = 1, 2, 4, 8  # what is known of one prediction, as bits

Keyed = list[tuple[str, str]]  # phrases with their stems

_NOPUNC = re.compile(r"\w+")
_TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "whitespace": lambda text: text.lower().split(),
    "nopunc": lambda text: _NOPUNC.findall(text.lower()),
}


class Matcher:
    """One protocol's rules, ready to be applied to documents."""

    def __init__(self, protocol: Protocol, novelty: Iterable[str] = ()) -> None:
        self._rules = protocol
        self._novelty = tuple(novelty)  # the parts for which α-nDCG is computed
        self._stems = _stemmer(protocol)
        self._marks = frozenset(protocol.punctuation)
        self._whole_words = protocol.match == "words"

    def match(self, pairs: Iterable[tuple[Document, Sequence[str]]]) -> dict[str, Part]:
        """Judge the predictions of some documents."""
        table = _Table(self._novelty)
        for document, predictions in pairs:
            source = self._source(document)
            gold = self._gold(document.keyphrases or (), source)
            table.add(gold, *self._judge(predictions, frozenset(gold.keys), source))
        return {part: table.part(part) for part in ("present", "absent", "all")}

    def assigned(self, document: Document, predictions: Sequence[str]) -> Assigned:
        """The keys of a document's targets, and those of its valid predictions, the best first."""
        source = self._source(document)
        gold = self._gold(document.keyphrases or (), source)
        keys, codes = self._judge(predictions, frozenset(gold.keys), source)
        return gold.keys, [key for key, code in zip(keys, codes, strict=True) if code & VALID]

    def phrases(self, document: Document, predictions: Sequence[str]) -> tuple[Keyed, Keyed]:
        """The valid predictions, best first, and the targets of a document, each with its stems."""
        source = self._source(document)
        gold = self._gold(document.keyphrases or (), source)
        keys, codes = self._judge(predictions, frozenset(gold.keys), source)
        judged = zip(predictions, keys, codes, strict=True)
        return [(phrase, key) for phrase, key, code in judged if code & VALID], list(
            zip(gold.phrases, gold.keys, strict=True)
        )

    def judge(self, document: Document, predictions: Sequence[str]) -> Judgement:
        """Judge the predictions of one document, for a report."""
        source = self._source(document)
        gold = self._gold(document.keyphrases or (), source)
        keys, codes = self._judge(predictions, frozenset(gold.keys), source)
        verdicts = tuple(
            Verdict(
                phrase=phrase,
                present=bool(code & PRESENT),
                hit=bool(code & HIT and code & VALID),
                problem=None if code & VALID else self._problem(phrase, key, bool(code & DISTINCT)),
            )
            for phrase, key, code in zip(predictions, keys, codes, strict=True)
        )
        hits = {key for key, verdict in zip(keys, verdicts, strict=True) if verdict.hit}
        targets = tuple(
            # one prediction matches one target: a second target with the same stems stays unmatched
            GoldTarget(phrase=phrase, present=present, met=key in hits and key not in gold.keys[:place])
            for place, (phrase, key, present) in enumerate(zip(gold.phrases, gold.keys, gold.present, strict=True))
        )
        return Judgement(verdicts, targets)

    def _problem(self, phrase: str, key: str, distinct: bool) -> str:
        """Why a prediction is ignored."""
        if not distinct:
            return "duplicate of an earlier prediction"
        if not key:
            return "contains no word"
        if not self._marks.isdisjoint(key.split()):
            return "contains punctuation"
        if self._rules.unknown and self._rules.unknown in phrase:
            return "contains an unknown word"
        return "only the first single-word prediction counts"

    def _source(self, document: Document) -> StemmedText:
        if self._rules.compare == "concepts":
            return StemmedText(())
        gap = " . " if self._rules.title == "period" and document.title and document.body else " "
        return StemmedText(self._stems(f"{document.title}{gap}{document.body}"))

    def _is_present(self, stemmed: list[str], source: StemmedText) -> bool:
        if not self._whole_words:
            return source.has_characters(stemmed)
        return bool(stemmed) and stemmed in source

    def _gold(self, phrases: Sequence[str], source: StemmedText) -> "_Gold":
        rules, gold = self._rules, _Gold()
        for phrase in phrases:
            stemmed = self._stems(phrase if rules.brackets == "keep" else without_brackets(phrase))
            key = " ".join(stemmed)
            if (not key and rules.empty_gold == "drop") or (rules.gold_duplicates == "drop" and key in gold.keys):
                continue
            gold.phrases.append(phrase)
            gold.keys.append(key)
            gold.present.append(self._is_present(stemmed, source) if key else rules.empty_gold == "present")
        return gold

    def _judge(self, predictions: Sequence[str], gold: frozenset[str], source: StemmedText) -> "_Judged":
        rules, marks, unknown = self._rules, self._marks, self._rules.unknown
        presence: dict[str, int] = {}
        keys: list[str] = []
        codes = bytearray()
        one_word_seen = False
        for phrase in predictions:
            stemmed = self._stems(without_brackets(phrase) if rules.brackets == "both" else phrase)
            key = " ".join(stemmed)
            valid = bool(stemmed) and marks.isdisjoint(stemmed) and not (unknown and unknown in phrase)
            if len(stemmed) <= 1 and rules.one_word == "first":
                valid, one_word_seen = valid and not one_word_seen, True
            if key in presence:
                code = presence[key] | (VALID if valid and rules.duplicates == "wrong" else 0)
            else:
                presence[key] = present = PRESENT if self._is_present(stemmed, source) else 0
                code = present | DISTINCT | (VALID if valid else 0) | (HIT if key in gold else 0)
            keys.append(key)
            codes.append(code)
        return keys, codes


_Judged = tuple[list[str], bytearray]  # the stems of each prediction, and its bits


@dataclass
class _Gold:
    """The targets of a document: surface forms, stems, and whether the text contains them."""

    phrases: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    present: list[bool] = field(default_factory=list)


class _Table:
    """The judged predictions of many documents, in flat lists until they become arrays."""

    def __init__(self, novelty: Iterable[str]) -> None:
        self.codes = bytearray()
        self.given: list[int] = []  # per document
        self.gold: list[int] = []
        self.targets: list[int] = []  # of the present part
        self.gains: dict[str, list[list[float]]] = {part: [] for part in novelty}

    def add(self, gold: _Gold, keys: list[str], codes: bytearray) -> None:
        """Append a document."""
        self.codes += codes
        self.given.append(len(codes))
        self.gold.append(len(gold.keys))
        self.targets.append(sum(gold.present))
        for part, gains in self.gains.items():
            valid = [key for key, code in zip(keys, codes, strict=True) if code & VALID and _in(part, code & PRESENT)]
            targets = [key for key, present in zip(gold.keys, gold.present, strict=True) if _in(part, present)]
            gains.append(novelty(valid, targets))

    def part(self, name: str) -> Part:
        """The predictions of one part."""
        codes = np.frombuffer(self.codes, dtype=np.uint8)
        owners = np.repeat(np.arange(len(self.given)), self.given)
        if name != "all":
            mine = (codes & PRESENT > 0) == (name == "present")
            codes, owners = codes[mine], owners[mine]
        valid = codes & VALID > 0
        predicted = self._count(owners[valid])
        return Part(
            hits=_rows(codes[valid] & HIT > 0, predicted),
            predicted=predicted,
            targets=self._targets(name),
            given=self._count(owners),
            distinct=self._count(owners[codes & DISTINCT > 0]),
            novelty=self._novelty(name),
        )

    def _count(self, owners: NDArray[np.int64]) -> Counts:
        return np.bincount(owners, minlength=len(self.given))

    def _targets(self, name: str) -> Counts:
        gold, present = np.array(self.gold, dtype=np.int64), np.array(self.targets, dtype=np.int64)
        return {"all": gold, "present": present, "absent": gold - present}[name]

    def _novelty(self, name: str) -> Floats:
        gains = self.gains.get(name, [])
        flat = np.array([gain for row in gains for gain in row], dtype=np.float64)
        return _rows(flat, np.array([len(row) for row in gains], dtype=np.int64))


def novelty(predicted: Sequence[str], targets: Sequence[str]) -> list[float]:
    """The gain of each prediction for α-nDCG: 0 if it is related to no target, else 1, halved for each earlier
    prediction related to the same target. Related means that the stems of one contain those of the other.
    """
    held = [set(target.split()) for target in targets if target]
    met = [0] * len(held)
    gains = []
    for phrase in predicted:
        stemmed = set(phrase.split())
        related = [place for place, target in enumerate(held) if target <= stemmed or stemmed <= target]
        gains.append((1 - ALPHA) ** max(met[place] for place in related) if related else 0.0)
        for place in related:
            met[place] += 1
    return gains


def _in(part: str, present: int) -> bool:
    return part == "all" or bool(present) == (part == "present")


def _rows(flat: NDArray[np.generic], lengths: Counts) -> NDArray[Any]:
    """Lay values out as one row per document, padded with zeros."""
    rows = np.zeros((len(lengths), lengths.max(initial=0)), dtype=flat.dtype)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = flat
    return rows


def _stemmer(protocol: Protocol) -> Callable[[str], list[str]]:
    """The function by which the protocol turns a text into comparable words."""
    if protocol.compare == "concepts":
        return _as_concept
    analyzer = protocol.analyzer
    if protocol.tokenizer in TOKENIZERS:
        return analyzer.text_stems
    cut = _TOKENIZERS[protocol.tokenizer]
    return cut if protocol.stemmer == NONE else lambda text: analyzer.stems(cut(text))


def _as_concept(name: str) -> list[str]:
    """The name of a concept as one word: a URI as it is, a label without regard to case."""
    line = " ".join(name.split())
    return [line if "://" in line else line.casefold()] if line else []
