"""The adaptive F1 reward of generated phrases, for present and for absent ones (Chan et al., 2019)."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from keyseq.config import TargetSettings
from keyseq.data.vocabulary import EOS, Vocabulary
from keyseq.text.analyzer import Analyzer

Stems = tuple[str, ...]


class Reward(NamedTuple):
    """The rewards of both parts of a sequence."""

    present: float
    absent: float


def adaptive_f1(generated: Sequence[Stems], gold: Sequence[Stems]) -> float:
    """F1; with fewer phrases than the gold has, recall: so that it pays to generate more. 0 without any gold phrase.

    A phrase that repeats an earlier one counts as wrong; gold phrases with the same stems are one.
    """
    wanted = set(gold)
    hits = len(wanted.intersection(generated))
    if not hits:
        return 0.0
    precision, recall = hits / max(len(generated), len(wanted)), hits / len(wanted)
    return 2 * precision * recall / (precision + recall)


class Rewards:
    """Rewards of sequences of extended ids. A word outside the vocabulary has no stem but itself."""

    def __init__(self, vocabulary: Vocabulary, settings: TargetSettings) -> None:
        self._words = vocabulary.words
        self._separators = vocabulary.separators
        self._analyzer = Analyzer.of(settings)
        self.divider = vocabulary.divider
        self._stems: dict[int, str] = {}

    def __call__(self, generated: Sequence[int], gold: Sequence[int]) -> Reward:
        """The rewards of a generated sequence; both may end with `</s>`."""
        parts = zip(self._parts(generated), self._parts(gold), strict=True)
        return Reward(*(adaptive_f1(list(mine), list(wanted)) for mine, wanted in parts))

    def _parts(self, ids: Sequence[int]) -> tuple[Iterator[Stems], Iterator[Stems]]:
        """The phrases before and after the first divider; without one, all are present ones."""
        end = next((place for place, word in enumerate(ids) if word == self.divider), len(ids))
        return self._phrases(ids[:end]), self._phrases(ids[end:])

    def _phrases(self, ids: Sequence[int]) -> Iterator[Stems]:
        for is_between, words in groupby(ids, lambda word: word in self._separators or word == EOS):
            if not is_between:
                yield tuple(map(self._stem, words))

    def _stem(self, word: int) -> str:
        if word not in self._stems:
            known = word < len(self._words)
            self._stems[word] = self._analyzer.stems([self._words[word]])[0] if known else f" {word}"
        return self._stems[word]
