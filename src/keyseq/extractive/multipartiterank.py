"""MultipartiteRank (Boudin, 2018): phrases near phrases of other topics, the first of each topic favoured."""

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
    """Which candidates, which of them are of one topic, and how much the first of a topic gains."""

    system: ClassVar[str] = "multipartiterank"
    favour: float = setting(1.1, "α: how much of a topic's weight goes over to its first phrase", least=0)


class MultipartiteRank(Ranker[MultipartiteRankSettings]):
    """Ranks candidates by PageRank in the graph of candidates, which has no edge between two of one topic."""

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
    """The weights of the ways between candidates of different topics, those to the first of each topic raised.

    The way from j to the first candidate i of a topic, whose first word stands at p, gains α e^(1/(1 + p)) times the
    sum of the weights between j and the topic's other candidates.
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
