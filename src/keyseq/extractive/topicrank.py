"""TopicRank (Bougouin, Boudin and Daille, 2013): PageRank over topics, each represented by its first phrase."""

from dataclasses import dataclass
from typing import ClassVar

from keyseq.extractive.candidates import find_candidates
from keyseq.extractive.ranker import Ranker
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.extractive.topics import MOST_CANDIDATES, TopicSettings, nearness, topics, weighted_rank
from keyseq.types import Phrase


@dataclass(frozen=True, kw_only=True)
class TopicRankSettings(TopicSettings):
    """Candidates and topic clustering."""

    system: ClassVar[str] = "topicrank"


class TopicRank(Ranker[TopicRankSettings]):
    """Ranks topics by PageRank in the complete graph of topics, weighted by their proximity in the text.

    A topic is represented by its first candidate in the text, so that no two phrases share a topic.
    """

    defaults = TopicRankSettings

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        candidates = find_candidates(reading, self.settings)[:MOST_CANDIDATES]
        groups = topics(candidates, self.settings.apart)
        near = nearness(reading, [[candidates[number] for number in group] for group in groups])
        scores = weighted_rank(near, self.settings)
        firsts = (min(group, key=lambda number: candidates[number].places[0]) for group in groups)
        scored = [(float(score), candidates[first]) for score, first in zip(scores, firsts, strict=True)]
        return best_phrases(reading, scored, self.settings.top)
