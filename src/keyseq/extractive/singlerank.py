"""SingleRank (Wan and Xiao, 2008): TextRank over a graph that counts how often two words stand near each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from keyseq.extractive.candidates import find_candidates
from keyseq.extractive.graph import Restart, WordGraphSettings, word_scores
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.types import Document, Phrase, as_documents


@dataclass(frozen=True, kw_only=True)
class SingleRankSettings(WordGraphSettings):
    """Which candidates, and how far words are neighbours."""

    system: ClassVar[str] = "singlerank"


class SingleRank:
    """Ranks candidates by the sum of their words' PageRank in the graph that counts how often words stand together."""

    name = SingleRankSettings.system
    restart: ClassVar[Restart] = "uniform"

    def __init__(self, settings: WordGraphSettings | None = None) -> None:
        self.settings = settings or SingleRankSettings()

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [self._rank(Reading(document.text)) for document in as_documents(documents)]

    def _rank(self, reading: Reading) -> list[Phrase]:
        scores = word_scores(reading, self.settings, self.restart, counted=True)
        candidates = find_candidates(reading, self.settings)
        scored = ((sum(scores.get(stem, 0.0) for stem in one.stems), one) for one in candidates)
        return best_phrases(reading, scored, self.settings.top)
