"""The distinct phrases that a search has found, and the evidence for each."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from keyseq.data.slots import is_slot_word
from keyseq.data.vocabulary import SEP
from keyseq.decoding.hypotheses import Hypothesis


class SearchEvidence(NamedTuple):
    """The evidence for a phrase.

    `probability` is that of its words and its end, each given the words before, the maximum over the sequences that
    contain it. `share` is the fraction of the probability of all sequences that contain it, 0..1.
    """

    words: tuple[str, ...]
    probability: float
    share: float


def evidence(
    hypotheses: Sequence[Hypothesis],
    word: Callable[[int], str],
    key: Callable[[Sequence[str]], tuple[str, ...]],
    separators: Sequence[int] = (SEP,),
) -> list[SearchEvidence]:
    """The phrases of sequences, in the published order: the rank of the sequence, then the position in it.

    `word` maps an extended id to its word; phrases with the same `key` are merged, keeping the first form.
    """
    forms: dict[tuple[str, ...], tuple[str, ...]] = {}
    shares: dict[tuple[str, ...], float] = {}
    probabilities: dict[tuple[str, ...], float] = {}
    names: dict[tuple[int, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}  # words and key by ids, computed once
    for hypothesis, share in zip(hypotheses, _shares(hypotheses), strict=True):
        counted: set[tuple[str, ...]] = set()  # a phrase repeated in a sequence counts once
        for ids, probability in _generated(hypothesis, separators):
            if ids not in names:
                words = tuple(map(word, ids))
                names[ids] = (words, key(words) if _is_phrase(words) else ())
            words, same = names[ids]
            if same:
                forms.setdefault(same, words)
                probabilities[same] = max(probability, probabilities.get(same, 0.0))
                counted.add(same)
        for same in counted:
            shares[same] = shares.get(same, 0.0) + share
    return [SearchEvidence(words, probabilities[same], min(1.0, shares[same])) for same, words in forms.items()]


def _shares(hypotheses: Sequence[Hypothesis]) -> list[float]:
    """The probability of each sequence, normalised over all."""
    chances = np.array([sum(hypothesis.log_probabilities.tolist()) for hypothesis in hypotheses])
    weights = np.exp(chances - chances.max(initial=-np.inf))
    shares: list[float] = (weights / weights.sum()).tolist()
    return shares


def _generated(hypothesis: Hypothesis, separators: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
    """A sequence's phrases, each with the probability of its words and its end."""
    tokens = hypothesis.tokens.tolist()
    chances = list(accumulate(hypothesis.log_probabilities.tolist()))
    start, before = 0, 0.0
    for end, token in enumerate([*tokens, SEP]):
        if token in separators:
            after = chances[min(end, len(chances) - 1)]  # a truncated sequence has no end of its last phrase
            if end > start:
                yield tuple(tokens[start:end]), math.exp(after - before)
            start, before = end + 1, after


def _is_phrase(words: Sequence[str]) -> bool:
    """Whether some of the words are not punctuation, and none is one of slots."""
    return any(any(map(str.isalnum, word)) for word in words) and not any(map(is_slot_word, words))
