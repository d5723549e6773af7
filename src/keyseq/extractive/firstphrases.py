"""FirstPhrases: the phrases with which a text begins, which are hard to beat where texts begin with their subject."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from keyseq.extractive.candidates import CandidateSettings, find_candidates
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.types import Document, Phrase, as_documents


@dataclass(frozen=True, kw_only=True)
class FirstPhrasesSettings(CandidateSettings):
    """Which candidates."""

    system: ClassVar[str] = "firstphrases"


class FirstPhrases:
    """Ranks candidates by how much of the text stands after their first place."""

    name = FirstPhrasesSettings.system

    def __init__(self, settings: FirstPhrasesSettings | None = None) -> None:
        self.settings = settings or FirstPhrasesSettings()

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [self._rank(Reading(document.text)) for document in as_documents(documents)]

    def _rank(self, reading: Reading) -> list[Phrase]:
        size = len(reading.source.stems)
        scored = ((1 - one.positions[0] / size, one) for one in find_candidates(reading, self.settings))
        return best_phrases(reading, scored, self.settings.top)
