"""TextRank (Mihalcea and Tarau, 2004): phrases by the PageRank of their words in the co-occurrence graph."""

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from keyseq.config.fields import setting
from keyseq.extractive.candidates import Candidate, find_candidates
from keyseq.extractive.graph import WordGraphSettings, word_scores
from keyseq.extractive.ranker import Ranker
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.types import Phrase


@dataclass(frozen=True, kw_only=True)
class TextRankSettings(WordGraphSettings):
    """The defaults were chosen on validation documents; `ORIGINAL` is the definition of 2004."""

    system: ClassVar[str] = "textrank"

    restart: Literal["position", "uniform"] = setting(
        "position", "restart distribution: proportional to 1/position, or uniform"
    )
    repeats: Literal["logarithm", "ignored"] = setting(
        "logarithm", "weight of a phrase with n occurrences: log2(1 + n), or 1"
    )


ORIGINAL = TextRankSettings(window=2, restart="uniform", repeats="ignored", candidates="runs", max_words=100)


class TextRank(Ranker[TextRankSettings]):
    """Ranks candidates by the sum of their words' PageRank in the co-occurrence graph."""

    defaults = TextRankSettings

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        candidates = find_candidates(reading, self.settings)
        scores = word_scores(reading, self.settings, self.settings.restart)
        return best_phrases(reading, ((self._score(one, scores), one) for one in candidates), self.settings.top)

    def _score(self, candidate: Candidate, scores: dict[str, float]) -> float:
        total = sum(scores.get(stem, 0.0) for stem in candidate.stems)
        return total if self.settings.repeats == "ignored" else total * math.log2(1 + candidate.occurrences)
