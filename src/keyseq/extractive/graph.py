"""The co-occurrence graph of the words of a text, and their PageRank."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul, sub
from typing import Literal

from keyseq.config.fields import setting
from keyseq.extractive.candidates import CandidateSettings
from keyseq.extractive.reading import ADJECTIVE, CHARACTER, GERUND, NOUN, PARTICIPLE, Reading

MOST_ITERATIONS = 100
_CONTENT = re.compile(f"[{NOUN}{ADJECTIVE}{PARTICIPLE}{GERUND}{CHARACTER}]")

Restart = Literal["position", "uniform"]


@dataclass(frozen=True, kw_only=True)
class WalkSettings(CandidateSettings):
    """The parameters of PageRank."""

    damping: float = setting(0.85, "damping factor of PageRank", least=0, below=1)
    tolerance: float = setting(1e-4, "convergence threshold: mean change of a word's score", least=0)


@dataclass(frozen=True, kw_only=True)
class WordGraphSettings(WalkSettings):
    """The parameters of the co-occurrence graph."""

    window: int = setting(10, "co-occurrence window in words", least=2)


def word_scores(
    reading: Reading, settings: WordGraphSettings, restart: Restart, *, counted: bool = False
) -> dict[str, float]:
    """The PageRank of the stems of nouns, adjectives and participles in their co-occurrence graph.

    The restart distribution is uniform, or biased to early words, proportional to the sum of 1/position. If `counted`,
    edges are weighted by the number of co-occurrences.
    """
    words = list(_content_words(reading))
    ids = {stem: number for number, stem in enumerate(dict.fromkeys(stem for _, stem in words))}
    walk = [ids[stem] for _, stem in words]
    positions = [position for position, _ in words]
    starts = [0.0 if restart == "position" else 1.0] * len(ids)
    if restart == "position":
        for position, word in zip(positions, walk, strict=True):
            starts[word] += 1 / (position + 1)
    near = _neighbours(positions, walk, settings.window, counted)
    return dict(zip(ids, page_rank(near, starts, settings), strict=True))


def _content_words(reading: Reading) -> Iterator[tuple[int, str]]:
    """The positions and stems of the words that may be part of a phrase."""
    stems, starts = reading.source.stems, reading.starts
    for match in _CONTENT.finditer(reading.classes):
        for position in range(starts[match.start()], starts[match.end()]):
            yield position, stems[position]


def _neighbours(positions: list[int], walk: list[int], window: int, counted: bool) -> list[list[int]]:
    """For each word, those that co-occur with it within the window; punctuation and stop words count as positions.

    Each is listed once, or if `counted`, once per co-occurrence.
    """
    near: list[list[int]] = [[] for _ in set(walk)]
    first = last = 0
    for position, word in zip(positions, walk, strict=True):
        while positions[first] <= position - window:
            first += 1
        while last < len(walk) and positions[last] < position + window:
            last += 1
        near[word] += walk[first:last]
    if counted:
        return [[other for other in others if other != word] for word, others in enumerate(near)]
    return [list(set(others) - {word}) for word, others in enumerate(near)]


def page_rank(neighbours: list[list[int]], restart: Sequence[float], settings: WalkSettings) -> list[float]:
    """The PageRank of each node of a graph; the sum is 1.

    A neighbour that is listed twice has an edge of twice the weight. `restart` is the restart distribution, also used
    after nodes without neighbours.
    """
    # plain Python: for one text, importing NumPy would take two hundred times as long as this
    total, damping = sum(restart), settings.damping
    start = [weight / total for weight in restart]
    kept = [damping / len(near) if near else 0.0 for near in neighbours]
    stuck = [node for node, near in enumerate(neighbours) if not near]
    # without restarts, the stationary distribution is proportional to the degree: a good initial value
    edges = sum(map(len, neighbours)) or 1
    scores = [
        damping * len(near) / edges + (1 - damping) * weight for near, weight in zip(neighbours, start, strict=True)
    ]
    for _ in range(MOST_ITERATIONS):
        again = 1 - damping + damping * sum(scores[node] for node in stuck)
        passed = list(map(mul, scores, kept)).__getitem__
        before = scores
        scores = [again * weight + sum(map(passed, near)) for weight, near in zip(start, neighbours, strict=True)]
        if sum(map(abs, map(sub, scores, before))) < settings.tolerance * len(scores):
            break
    return scores
