"""RAKE (Rose et al., 2010) as one writes it first: runs of words without stop words, scored by degree and frequency."""

import re
from collections import Counter
from collections.abc import Collection
from itertools import groupby

_SENTENCE = re.compile(r"[.!?]+\s")
_TOKEN = re.compile(r"\w+|[^\w\s]+")


def plain_rake(text: str, stop_words: Collection[str]) -> list[tuple[float, str]]:
    """The phrases of a text with their scores, best first."""
    runs = [run for sentence in _SENTENCE.split(text) for run in _runs(sentence, stop_words)]
    frequency, degree = Counter[str](), Counter[str]()
    for run in runs:
        frequency.update(run)
        for word in run:
            degree[word] += len(run)
    phrases = {" ".join(run): sum(degree[word] / frequency[word] for word in run) for run in runs}
    return sorted(((score, phrase) for phrase, score in phrases.items()), reverse=True)


def _runs(sentence: str, stop_words: Collection[str]) -> list[tuple[str, ...]]:
    tokens = _TOKEN.findall(sentence.lower())
    grouped = groupby(tokens, key=lambda token: token in stop_words or not token[0].isalnum())
    return [tuple(run) for splits, run in grouped if not splits]
