"""TfIdf: a phrase is as important as it is frequent in the text and rare in a corpus."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from keyseq.config.fields import setting
from keyseq.errors import KeyseqError
from keyseq.extractive.candidates import CandidateSettings, find_candidates
from keyseq.extractive.frequencies import DocumentFrequencies, shipped
from keyseq.extractive.ranker import Ranker
from keyseq.extractive.ranking import best_phrases
from keyseq.extractive.reading import Reading
from keyseq.types import Phrase


@dataclass(frozen=True, kw_only=True)
class TfIdfSettings(CandidateSettings):
    """Which candidates, and how rare their words are in general."""

    system: ClassVar[str] = "tfidf"
    frequencies: str = setting("", "a file of document frequencies; if none, the table inside the package")

    def __post_init__(self) -> None:
        object.__setattr__(self, "frequencies", os.fspath(self.frequencies))
        super().__post_init__()


class TfIdf(Ranker[TfIdfSettings]):
    """Ranks candidates by their occurrences in the text times their inverse document frequency.

    The table inside the package counts words, so that a phrase's inverse document frequency is the sum of its words':
    that of a phrase whose words were independent of each other. A table of phrases gives the phrase's own.
    """

    defaults = TfIdfSettings

    @cached_property
    def frequencies(self) -> DocumentFrequencies:
        """The document frequencies, read when they are first needed."""
        named, language = self.settings.frequencies, self.settings.language
        found = DocumentFrequencies.load(Path(named)) if named else shipped()
        if found.language != language:
            raise KeyseqError(
                f"{named or 'the table inside the package'}: counts words of the language {found.language}, not"
                f" {language}; count a corpus with keyseq data frequencies --language {language}"
            )
        return found

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        candidates = find_candidates(reading, self.settings)
        scored = ((one.occurrences * self.frequencies.idf(one.stems), one) for one in candidates)
        return best_phrases(reading, scored, self.settings.top)
