"""MultipartiteRank (Boudin, 2018): PageRank over phrases linked across topics, with a boost for first phrases."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from keyseq.config.fields import setting
from keyseq.extractive.candidates import find_candidates
from keyseq.extractive.ranker import Ranker
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.extractive.topics import MOST_CANDIDATES, Floats, TopicSettings, nearness, topics, weighted_rank
from keyseq.types import Phrase


@dataclass(frozen=True, kw_only=True)
class MultipartiteRankSettings(TopicSettings):
    """Candidates, topic clustering, and the boost of the first candidate of a topic."""

    system: ClassVar[str] = "multipartiterank"
    favour: float = setting(1.1, "α, the boost of the first candidate of a topic", least=0)


class MultipartiteRank(Ranker[MultipartiteRankSettings]):
    """Ranks candidates by PageRank in a multipartite graph: no edges within a topic."""

    defaults = MultipartiteRankSettings

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        candidates = find_candidates(reading, self.settings)[:MOST_CANDIDATES]
        groups = topics(candidates, self.settings.apart)
        first_words = [reading.starts[one.places[0][0]] for one in candidates]
        weights = adjusted(nearness(reading, [[one] for one in candidates]), groups, first_words, self.settings.favour)
        scores = weighted_rank(weights, self.settings).tolist()
        return best_phrases(reading, zip(scores, candidates, strict=True), self.settings.top)


def adjusted(near: Floats, groups: list[list[int]], first_words: list[int], favour: float) -> Floats:
    """The edge weights between candidates of different topics, with those to the first of each topic increased.

    The edge from j to the first candidate i of a topic, whose first position is p, gains α e^(1/(1 + p)) times the sum
    of the weights between j and the other candidates of the topic.
    """
    weights = near.copy()
    for group in groups:
        weights[np.ix_(group, group)] = 0
    raised = weights.copy()
    for group in groups:
        first = min(group, key=first_words.__getitem__)
        others = [number for number in group if number != first]
        raised[:, first] += favour * np.exp(1 / (1 + first_words[first])) * weights[:, others].sum(axis=1)
    return raised
