"""TopicRank (Bougouin, Boudin and Daille, 2013): topics that stand near other topics, each told by its first phrase."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from keyseq.extractive.candidates import find_candidates
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.extractive.topics import MOST_CANDIDATES, TopicSettings, nearness, topics, weighted_rank
from keyseq.types import Document, Phrase, as_documents


@dataclass(frozen=True, kw_only=True)
class TopicRankSettings(TopicSettings):
    """Which candidates, and which of them are of one topic."""

    system: ClassVar[str] = "topicrank"


class TopicRank:
    """Ranks topics by PageRank in the complete graph of topics, weighed by how near they stand to each other.

    A topic is given by the candidate that comes first in the text, so that no two phrases are about the same.
    """

    name = TopicRankSettings.system

    def __init__(self, settings: TopicRankSettings | None = None) -> None:
        self.settings = settings or TopicRankSettings()

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [self._rank(Reading(document.text)) for document in as_documents(documents)]

    def _rank(self, reading: Reading) -> list[Phrase]:
        candidates = find_candidates(reading, self.settings)[:MOST_CANDIDATES]
        groups = topics(candidates, self.settings.apart)
        near = nearness(reading, [[candidates[number] for number in group] for group in groups])
        scores = weighted_rank(near, self.settings)
        firsts = (min(group, key=lambda number: candidates[number].places[0]) for group in groups)
        scored = [(float(score), candidates[first]) for score, first in zip(scores, firsts, strict=True)]
        return best_phrases(reading, scored, self.settings.top)
