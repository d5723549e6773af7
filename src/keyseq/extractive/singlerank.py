"""SingleRank (Wan and Xiao, 2008): TextRank with edges weighted by the number of co-occurrences."""

from dataclasses import dataclass
from typing import ClassVar

from keyseq.extractive.candidates import find_candidates
from keyseq.extractive.graph import Restart, WordGraphSettings, word_scores
from keyseq.extractive.ranker import Ranker
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.types import Phrase


@dataclass(frozen=True, kw_only=True)
class SingleRankSettings(WordGraphSettings):
    """Candidates and co-occurrence graph."""

    system: ClassVar[str] = "singlerank"


class SingleRank(Ranker[WordGraphSettings]):
    """Ranks candidates by the sum of their words' PageRank in the weighted co-occurrence graph."""

    defaults: ClassVar[type[WordGraphSettings]] = SingleRankSettings
    restart: ClassVar[Restart] = "uniform"

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        scores = word_scores(reading, self.settings, self.restart, counted=True)
        candidates = find_candidates(reading, self.settings)
        scored = ((sum(scores.get(stem, 0.0) for stem in one.stems), one) for one in candidates)
        return best_phrases(reading, scored, self.settings.top)
