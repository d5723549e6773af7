"""TfIdf: a phrase is as important as it is frequent in the text and rare in a corpus."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from keyseq.config.fields import setting
from keyseq.extractive.candidates import CandidateSettings, find_candidates
from keyseq.extractive.frequencies import DocumentFrequencies, shipped
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.types import Document, Phrase, as_documents


@dataclass(frozen=True, kw_only=True)
class TfIdfSettings(CandidateSettings):
    """Which candidates, and how rare their words are in general."""

    system: ClassVar[str] = "tfidf"
    frequencies: str = setting("", "a file of document frequencies; if none, the table inside the package")

    def __post_init__(self) -> None:
        object.__setattr__(self, "frequencies", os.fspath(self.frequencies))
        super().__post_init__()


class TfIdf:
    """Ranks candidates by their occurrences in the text times their inverse document frequency.

    The table inside the package counts words, so that a phrase's inverse document frequency is the sum of its words':
    that of a phrase whose words were independent of each other. A table of phrases gives the phrase's own.
    """

    name = TfIdfSettings.system

    def __init__(self, settings: TfIdfSettings | None = None) -> None:
        self.settings = settings or TfIdfSettings()

    @cached_property
    def frequencies(self) -> DocumentFrequencies:
        """The document frequencies, read when they are first needed."""
        named = self.settings.frequencies
        return DocumentFrequencies.load(Path(named)) if named else shipped()

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [self._rank(Reading(document.text)) for document in as_documents(documents)]

    def _rank(self, reading: Reading) -> list[Phrase]:
        candidates = find_candidates(reading, self.settings)
        scored = ((one.occurrences * self.frequencies.idf(one.stems), one) for one in candidates)
        return best_phrases(reading, scored, self.settings.top)
