"""A ranker that learns nothing as the answer to texts in a language for which there is no trained system."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from keyseq.extractive.reading import Reading
from keyseq.extractive.textrank import TextRank, TextRankSettings
from keyseq.systems.combined_settings import CombinedSettings
from keyseq.text.analyzer import Analyzer
from keyseq.types import Document, Evidence, Phrase, as_documents

USUAL = 10  # phrases, unless more or fewer are asked for
WORDS, SEGMENTED = 3, 5  # of a phrase at most; those that a dictionary cuts are shorter


class LanguageRanker:
    """Ranks phrases of texts in one language; which are given is decided by the settings of combined systems."""

    name = TextRankSettings.system

    def __init__(self, code: str, settings: CombinedSettings) -> None:
        self.settings, self.analyzer = settings, Analyzer.for_detected(code)
        enough = (settings.top or USUAL) + len(settings.deny)
        longest = SEGMENTED if self.analyzer.segmenter else WORDS
        self._ranker = TextRank(TextRankSettings(top=enough, max_words=longest))  # the language is that of readings

    def with_settings(self, **settings: Any) -> "LanguageRanker":
        """The same under other settings."""
        return LanguageRanker(self.analyzer.language, CombinedSettings(**{**vars(self.settings), **settings}))

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [self._phrases(document) for document in as_documents(documents)]

    def _phrases(self, document: Document) -> list[Phrase]:
        found = self._ranker.rank(Reading(document.text, self.analyzer))
        told = (replace(one, evidence=self._evidence(one, document)) for one in found)
        return self.settings.select(told, self.analyzer, USUAL)

    def _evidence(self, phrase: Phrase, document: Document) -> Evidence:
        return Evidence(
            sources=("text",),
            occurrences=len(phrase.spans),
            in_title=any(end <= len(document.title) for _, end in phrase.spans),
            system=self.name,
            language=self.analyzer.language,
        )
