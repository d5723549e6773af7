"""FirstPhrases: the first phrases of a text, a strong baseline where texts begin with their subject."""

from dataclasses import dataclass
from typing import ClassVar

from keyseq.extractive.candidates import CandidateSettings, find_candidates
from keyseq.extractive.ranker import Ranker
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.types import Phrase


@dataclass(frozen=True, kw_only=True)
class FirstPhrasesSettings(CandidateSettings):
    """The candidates."""

    system: ClassVar[str] = "firstphrases"


class FirstPhrases(Ranker[FirstPhrasesSettings]):
    """Ranks candidates by their first position: the score is the fraction of the text after it."""

    defaults = FirstPhrasesSettings

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        size = len(reading.source.stems)
        scored = ((1 - one.positions[0] / size, one) for one in find_candidates(reading, self.settings))
        return best_phrases(reading, scored, self.settings.top)
