"""What a search has found: its distinct phrases, and what speaks for each of them."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from keyseq.data.vocabulary import SEP
from keyseq.decoding.hypotheses import Hypothesis


class Evidence(NamedTuple):
    """What speaks for a phrase.

    `probability` is that of its words and its end, each given what was said before, the highest where several sequences
    say it. `share` is how much of the probability of all sequences belongs to those that say it, 0..1.
    """

    words: tuple[str, ...]
    probability: float
    share: float


def evidence(
    hypotheses: Sequence[Hypothesis],
    word: Callable[[int], str],
    key: Callable[[Sequence[str]], tuple[str, ...]],
) -> list[Evidence]:
    """The phrases that sequences say, in the published order: the rank of the sequence, then the place in it.

    `word` gives the word of an extended id, `key` what makes two phrases one; their first form stays.
    """
    forms: dict[tuple[str, ...], tuple[str, ...]] = {}
    shares: dict[tuple[str, ...], float] = {}
    probabilities: dict[tuple[str, ...], float] = {}
    names: dict[tuple[int, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}  # words and key of ids, cut but once
    for hypothesis, share in zip(hypotheses, _shares(hypotheses), strict=True):
        counted: set[tuple[str, ...]] = set()  # a phrase that a sequence repeats has its share once
        for ids, probability in _said(hypothesis):
            if ids not in names:
                words = tuple(map(word, ids))
                names[ids] = (words, key(words) if any(map(_speaks, words)) else ())
            words, same = names[ids]
            if same:
                forms.setdefault(same, words)
                probabilities[same] = max(probability, probabilities.get(same, 0.0))
                counted.add(same)
        for same in counted:
            shares[same] = shares.get(same, 0.0) + share
    return [Evidence(words, probabilities[same], min(1.0, shares[same])) for same, words in forms.items()]


def _shares(hypotheses: Sequence[Hypothesis]) -> list[float]:
    """Of the probability of all sequences, that of each."""
    chances = np.array([hypothesis.log_probabilities.sum(dtype=np.float64) for hypothesis in hypotheses])
    weights = np.exp(chances - chances.max(initial=-np.inf))
    shares: list[float] = (weights / weights.sum()).tolist()
    return shares


def _said(hypothesis: Hypothesis) -> Iterator[tuple[tuple[int, ...], float]]:
    """A sequence's phrases, each with the probability of its words and its end."""
    tokens = hypothesis.tokens.tolist()
    chances = np.cumsum(hypothesis.log_probabilities, dtype=np.float64).tolist()
    start, before = 0, 0.0
    for end, token in enumerate([*tokens, SEP]):
        if token == SEP:
            after = chances[min(end, len(chances) - 1)]  # a sequence that was cut off has no end for its last phrase
            if end > start:
                yield tuple(tokens[start:end]), math.exp(after - before)
            start, before = end + 1, after


def _speaks(word: str) -> bool:
    """Whether a word is more than punctuation."""
    return any(map(str.isalnum, word))
