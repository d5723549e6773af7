"""TF×IDF: phrases that are frequent in the text and rare in a reference corpus."""

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
    """Candidates and document frequencies."""

    system: ClassVar[str] = "tfidf"
    frequencies: str = setting("", "file of document frequencies; by default, the table of the package")

    def __post_init__(self) -> None:
        object.__setattr__(self, "frequencies", os.fspath(self.frequencies))
        super().__post_init__()


class TfIdf(Ranker[TfIdfSettings]):
    """Ranks candidates by term frequency times inverse document frequency.

    The table of the package counts single words: the IDF of a phrase is the sum over its words, which holds if they
    were independent. With a table of phrases, it is that of the phrase.
    """

    defaults = TfIdfSettings

    @cached_property
    def frequencies(self) -> DocumentFrequencies:
        """The document frequencies, read on first use."""
        named, language = self.settings.frequencies, self.settings.language
        found = DocumentFrequencies.load(Path(named)) if named else shipped()
        if found.language != language:
            raise KeyseqError(
                f"{named or 'the table of the package'}: counts words of the language {found.language}, not"
                f" {language}; count a corpus with keyseq data frequencies --language {language}"
            )
        return found

    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
        candidates = find_candidates(reading, self.settings)
        scored = ((one.occurrences * self.frequencies.idf(one.stems), one) for one in candidates)
        return best_phrases(reading, scored, self.settings.top)
