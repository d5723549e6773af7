"""Match predictions with gold phrases by the rules of a protocol: which are valid, present, correct."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.evaluation.judgement import GoldTarget, Judgement, Verdict
from keyseq.evaluation.metrics import ALPHA, Counts, Floats, MatchedPart
from keyseq.evaluation.protocols import Protocol
from keyseq.evaluation.subject_table import Assigned
from keyseq.languages import TOKENIZERS
from keyseq.text.presence import without_brackets
from keyseq.text.stem import NONE
from keyseq.types import Document

HIT, PRESENT, VALID, DISTINCT = 1, 2, 4, 8  # what is known of one prediction, as bits

# A phrase is compared by its key: its stems as a line, all between spaces. Stems contain none, so that the line of a
# text contains that of a phrase only where it has the same consecutive whole words.
NO_WORD = " "

Keyed = list[tuple[str, str]]  # phrases with their stems

_NOPUNC = re.compile(r"\w+")
_TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "whitespace": lambda text: text.lower().split(),
    "nopunc": lambda text: _NOPUNC.findall(text.lower()),
}


# Of a document: its source text, its gold phrases and its predictions, as they are. Processes send each other these,
# which takes less time than documents.
Compared = tuple[str, tuple[str, ...], list[str]]


def compared(rules: Protocol, document: Document, predictions: Sequence[str]) -> Compared:
    """What a protocol compares of a document and its predictions."""
    if rules.compare == "concepts":
        source = ""
    else:
        gap = " . " if rules.title == "period" and document.title and document.body else " "
        source = f"{document.title}{gap}{document.body}"
    return source, document.keyphrases or (), list(predictions)


class Matcher:
    """One protocol's rules, ready to be applied to documents."""

    def __init__(self, protocol: Protocol, novelty: Iterable[str] = ()) -> None:
        self._rules = protocol
        self._novelty = tuple(novelty)  # the parts for which α-nDCG is computed
        self._lines = _line_maker(protocol)
        self._marks = frozenset(protocol.punctuation)
        self._whole_words = protocol.match == "words"
        self._words = _one_word if protocol.compare == "concepts" else str.split

    def match(self, items: "Iterable[Compared]") -> dict[str, MatchedPart]:
        """Judge the predictions of some documents."""
        table = _Table(self._novelty)
        for item in items:
            table.add(*self._judged(item))
        return {part: table.part(part) for part in ("present", "absent", "all")}

    def assigned(self, item: "Compared") -> Assigned:
        """The keys of a document's targets, and those of its valid predictions, the best first."""
        gold, keys, codes = self._judged(item)
        valid = [key[1:-1] for key, code in zip(keys, codes, strict=True) if code & VALID]
        return [key[1:-1] for key in gold.keys], valid

    def phrases(self, item: "Compared") -> tuple[Keyed, Keyed]:
        """The valid predictions, best first, and the targets of a document, each with its stems."""
        gold, keys, codes = self._judged(item)
        judged = zip(item[2], keys, codes, strict=True)
        return [(phrase, key[1:-1]) for phrase, key, code in judged if code & VALID], [
            (phrase, key[1:-1]) for phrase, key in zip(gold.phrases, gold.keys, strict=True)
        ]

    def judge(self, document: Document, predictions: Sequence[str]) -> Judgement:
        """Judge the predictions of one document, for a report."""
        gold, keys, codes = self._judged(compared(self._rules, document, predictions))
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
        if key == NO_WORD:
            return "contains no word"
        if not self._marks.isdisjoint(self._words(key)):
            return "contains punctuation"
        if self._rules.unknown and self._rules.unknown in phrase:
            return "contains an unknown word"
        return "only the first single-word prediction counts"

    def _judged(self, item: "Compared") -> "_Judged":
        """The targets of a document, and the keys and bits of its predictions."""
        source, phrases, predictions = item
        brackets = self._rules.brackets
        gold = phrases if brackets == "keep" else map(without_brackets, phrases)
        predicted = map(without_brackets, predictions) if brackets == "both" else predictions
        line, *keys = self._lines([source, *gold, *predicted])
        targets = self._targets(phrases, keys[: len(phrases)], line)
        keys = keys[len(phrases) :]
        return targets, keys, self._codes(predictions, keys, frozenset(targets.keys), line)

    def _targets(self, phrases: Sequence[str], keys: Sequence[str], line: str) -> "_Targets":
        rules, gold = self._rules, _Targets()
        for phrase, key in zip(phrases, keys, strict=True):
            empty = key == NO_WORD
            if (empty and rules.empty_gold == "drop") or (rules.gold_duplicates == "drop" and key in gold.keys):
                continue
            gold.phrases.append(phrase)
            gold.keys.append(key)
            gold.present.append(rules.empty_gold == "present" if empty else self._is_present(key, line))
        return gold

    def _is_present(self, key: str, line: str) -> bool:
        return (key != NO_WORD and key in line) if self._whole_words else key[1:-1] in line

    def _codes(self, predictions: Sequence[str], keys: list[str], gold: frozenset[str], line: str) -> bytearray:
        rules, marks, unknown, words_of = self._rules, self._marks, self._rules.unknown, self._words
        first_only, wrong = rules.one_word == "first", VALID if rules.duplicates == "wrong" else 0
        known: dict[str, int] = {}
        codes, one_word_seen = bytearray(), False
        for phrase, key in zip(predictions, keys, strict=True):
            words = words_of(key)
            valid = VALID if words and marks.isdisjoint(words) and not (unknown and unknown in phrase) else 0
            if first_only and len(words) <= 1:
                valid, one_word_seen = (0 if one_word_seen else valid), True
            code = known.get(key)
            if code is None:
                known[key] = present = PRESENT if self._is_present(key, line) else 0
                codes.append(present | DISTINCT | valid | (HIT if key in gold else 0))
            else:
                codes.append(code | (valid & wrong))
        return codes


@dataclass
class _Targets:
    """The targets of a document: surface forms, keys, and whether the text contains them."""

    phrases: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    present: list[bool] = field(default_factory=list)


_Judged = tuple[_Targets, list[str], bytearray]  # and the key of each prediction, and its bits


class _Table:
    """The judged predictions of many documents, in flat lists until they become arrays."""

    def __init__(self, novelty: Iterable[str]) -> None:
        self.codes = bytearray()
        self.given: list[int] = []  # per document
        self.gold: list[int] = []
        self.targets: list[int] = []  # of the present part
        self.gains: dict[str, list[list[float]]] = {part: [] for part in novelty}

    def add(self, gold: _Targets, keys: list[str], codes: bytearray) -> None:
        """Append a document."""
        self.codes += codes
        self.given.append(len(codes))
        self.gold.append(len(gold.keys))
        self.targets.append(sum(gold.present))
        for part, gains in self.gains.items():
            valid = [key for key, code in zip(keys, codes, strict=True) if code & VALID and _in(part, code & PRESENT)]
            targets = [key for key, present in zip(gold.keys, gold.present, strict=True) if _in(part, present)]
            gains.append(novelty(valid, targets))

    def part(self, name: str) -> MatchedPart:
        """The predictions of one part."""
        codes = np.frombuffer(self.codes, dtype=np.uint8)
        owners = np.repeat(np.arange(len(self.given)), self.given)
        if name != "all":
            mine = (codes & PRESENT > 0) == (name == "present")
            codes, owners = codes[mine], owners[mine]
        valid = codes & VALID > 0
        predicted = self._count(owners[valid])
        return MatchedPart(
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


def _line_maker(protocol: Protocol) -> Callable[[list[str]], list[str]]:
    """The function by which the protocol turns texts into lines of comparable words."""
    if protocol.compare == "concepts":
        return lambda texts: [_line(_as_concept(text)) for text in texts]
    analyzer = protocol.analyzer
    if protocol.tokenizer in TOKENIZERS:
        return analyzer.stem_lines
    cut = _TOKENIZERS[protocol.tokenizer]
    if protocol.stemmer == NONE:
        return lambda texts: [_line(cut(text)) for text in texts]
    return lambda texts: [_line(analyzer.stems(cut(text))) for text in texts]


def _line(words: Iterable[str]) -> str:
    return " ".join(("", *words, ""))


def _as_concept(name: str) -> list[str]:
    """The name of a concept as one word: a URI as it is, a label without regard to case."""
    line = " ".join(name.split())
    return [line if "://" in line else line.casefold()] if line else []


def _one_word(key: str) -> list[str]:
    return [] if key == NO_WORD else [key[1:-1]]
