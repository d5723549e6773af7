"""What a network generates, extracts and retrieves for a text, merged as KG-KE-KR-M has it (Chen et al., 2019).

The scores of each source are scaled to the mean of the generated ones, weighed by a scorer, and added up.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = tuple[str, ...]
Key = Callable[[Sequence[str]], Words]
Scorer = Callable[[Sequence[Words]], NDArray[np.float64]]

GENERATED, EXTRACTED, RETRIEVED = "generated", "extracted", "retrieved"  # the form of the first is that of a phrase
EXTRACTION = 0.7  # least probability of an extracted word
OF_LARGEST = 0.8  # if there is none: this share of the largest probability
SHORTEST = 3  # characters of a phrase that was generated or retrieved


class FoundPhrase(NamedTuple):
    """A phrase as its words, with a score of its source, or of all."""

    words: Words
    score: float


def extracted(words: Sequence[str], chances: Sequence[float]) -> Iterator[FoundPhrase]:
    """The runs of adjacent words that are probable enough, each with their mean probability."""
    largest = max(chances, default=0.0)
    if not largest:
        return
    least = EXTRACTION if largest >= EXTRACTION else OF_LARGEST * largest
    rows = zip(words, chances, strict=True)
    for is_kept, run in groupby(rows, lambda row: row[1] >= least and any(map(str.isalnum, row[0]))):
        if is_kept:
            parts, probabilities = zip(*run, strict=True)
            yield FoundPhrase(parts, sum(probabilities) / len(probabilities))


def merged(sources: Mapping[str, Iterable[FoundPhrase]], key: Key, scorer: Scorer) -> list[FoundPhrase]:
    """The phrases of all sources, best first; those with the same key are one, of each source its best."""
    best = {name: _best(name, sources.get(name, ()), key) for name in (GENERATED, EXTRACTED, RETRIEVED)}
    forms: dict[Words, Words] = {}
    for found in best.values():
        for same, one in found.items():
            forms.setdefault(same, one.words)
    totals = dict.fromkeys(forms, 0.0)
    for found in best.values():
        scale = _scale(best[GENERATED], found)
        for same, one in found.items():
            totals[same] += scale * one.score
    weights = scorer(list(forms.values())).tolist() if forms else []
    scored = [FoundPhrase(forms[same], totals[same] * weight) for same, weight in zip(forms, weights, strict=True)]
    return sorted(scored, key=lambda one: -one.score)


def _best(source: str, found: Iterable[FoundPhrase], key: Key) -> dict[Words, FoundPhrase]:
    best: dict[Words, FoundPhrase] = {}
    for one in found:
        if source != EXTRACTED and len(" ".join(one.words)) < SHORTEST:
            continue
        same = key(one.words)
        if same and (same not in best or one.score > best[same].score):
            best[same] = one
    return best


def _scale(generated: Mapping[Words, FoundPhrase], found: Mapping[Words, FoundPhrase]) -> float:
    """The factor that scales the mean score of a source to that of the generated phrases; 1 if either is empty."""
    means = [np.mean([one.score for one in of.values()]) if of else 0.0 for of in (generated, found)]
    return float(means[0] / means[1]) if all(means) else 1.0
