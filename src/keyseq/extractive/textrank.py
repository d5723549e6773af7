"""TextRank (Mihalcea and Tarau, 2004): a phrase matters as much as its words do in the graph of neighbouring words."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul, sub
from typing import ClassVar, Literal

from keyseq.config.fields import setting
from keyseq.extractive.candidates import Candidate, CandidateSettings, find_candidates
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import ADJECTIVE, CHARACTER, GERUND, NOUN, PARTICIPLE, Reading
from keyseq.types import Document, Phrase, as_documents

MOST_ITERATIONS = 100
_CONTENT = re.compile(f"[{NOUN}{ADJECTIVE}{PARTICIPLE}{GERUND}{CHARACTER}]")


@dataclass(frozen=True, kw_only=True)
class TextRankSettings(CandidateSettings):
    """The defaults did best on validation documents; `ORIGINAL` is the definition of 2004."""

    system: ClassVar[str] = "textrank"

    window: int = setting(10, "words are neighbours if they stand in a window of so many words", least=2)
    damping: float = setting(0.85, "the probability to walk on to a neighbour and not to start again", least=0, below=1)
    tolerance: float = setting(1e-4, "stop when the scores change by less, a word on average", least=0)
    restart: Literal["position", "uniform"] = setting(
        "position", "where the walk starts again: at early words rather (1/position), or anywhere"
    )
    repeats: Literal["logarithm", "ignored"] = setting(
        "logarithm", "whether a phrase gains by its n occurrences: times log2(1 + n), or not at all"
    )


ORIGINAL = TextRankSettings(window=2, restart="uniform", repeats="ignored", candidates="runs", max_words=100)


class TextRank:
    """Ranks candidates by the sum of their words' PageRank in the graph of words that stand near each other."""

    name = TextRankSettings.system

    def __init__(self, settings: TextRankSettings | None = None) -> None:
        self.settings = settings or TextRankSettings()

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [self._rank(Reading(document.text)) for document in as_documents(documents)]

    def _rank(self, reading: Reading) -> list[Phrase]:
        candidates = find_candidates(reading, self.settings)
        scores = word_scores(reading, self.settings)
        return best_phrases(reading, ((self._score(one, scores), one) for one in candidates), self.settings.top)

    def _score(self, candidate: Candidate, scores: dict[str, float]) -> float:
        total = sum(scores.get(stem, 0.0) for stem in candidate.stems)
        return total if self.settings.repeats == "ignored" else total * math.log2(1 + candidate.occurrences)


def word_scores(reading: Reading, settings: TextRankSettings) -> dict[str, float]:
    """The PageRank of the stems of a text's nouns, adjectives and participles."""
    words = list(_content_words(reading))
    ids = {stem: number for number, stem in enumerate(dict.fromkeys(stem for _, stem in words))}
    walk = [ids[stem] for _, stem in words]
    positions = [position for position, _ in words]
    restart = [0.0 if settings.restart == "position" else 1.0] * len(ids)
    if settings.restart == "position":
        for position, word in zip(positions, walk, strict=True):
            restart[word] += 1 / (position + 1)
    neighbours = _neighbours(positions, walk, settings.window)
    return dict(zip(ids, page_rank(neighbours, restart, settings), strict=True))


def _content_words(reading: Reading) -> Iterator[tuple[int, str]]:
    """The positions and stems of the words that may be part of a phrase."""
    stems, starts = reading.source.stems, reading.starts
    for match in _CONTENT.finditer(reading.classes):
        for position in range(starts[match.start()], starts[match.end()]):
            yield position, stems[position]


def _neighbours(positions: list[int], walk: list[int], window: int) -> list[list[int]]:
    """For each word the others that stand within the window of one of its occurrences, marks and stop words counted."""
    near: list[set[int]] = [set() for _ in set(walk)]
    first = last = 0
    for position, word in zip(positions, walk, strict=True):
        while positions[first] <= position - window:
            first += 1
        while last < len(walk) and positions[last] < position + window:
            last += 1
        near[word].update(walk[first:last])
    return [list(others - {word}) for word, others in enumerate(near)]


def page_rank(neighbours: list[list[int]], restart: list[float], settings: TextRankSettings) -> list[float]:
    """How often a walk over a graph that now and then starts again comes by each node; 1 in sum.

    `restart` weighs the nodes at which it starts, also after a node without neighbours.
    """
    total, damping = sum(restart), settings.damping
    start = [weight / total for weight in restart]
    kept = [damping / len(near) if near else 0.0 for near in neighbours]
    stuck = [node for node, near in enumerate(neighbours) if not near]
    # by its neighbours alone a walk would come by each node as often as that has neighbours: a good first guess
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
