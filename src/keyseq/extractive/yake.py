"""YAKE (Campos et al., 2020), by the package yake: statistics of the words of a single text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from keyseq.config.fields import check, described, setting
from keyseq.extractive.ranking import named_phrase
from keyseq.imports import require
from keyseq.languages import LANGUAGES
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import SourceText
from keyseq.types import Document, Phrase, as_documents


@dataclass(frozen=True, kw_only=True)
class YakeSettings:
    """The settings of the package, under the names that keyseq uses."""

    system: ClassVar[str] = "yake"
    max_words: int = setting(3, "maximum words of a phrase", least=1)
    window: int = setting(1, "co-occurrence window, in words on each side", least=1)
    alike: float = setting(0.9, "deduplication threshold: maximum similarity of two phrases", least=0)
    language: str = setting("en", "language of the stop words, by its code")
    top: int = setting(10, "maximum number of phrases per document", least=1, most=1_000_000_000)

    def __post_init__(self) -> None:
        check(self.system, self)


class Yake:
    """A wrapper of YAKE; its scores, lower for better phrases, are converted so that the best has 1."""

    name = YakeSettings.system

    def __init__(self, settings: YakeSettings | None = None) -> None:
        self.settings = settings or YakeSettings()
        self._package = require("yake", "baselines")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.settings,)

    def __repr__(self) -> str:
        return described(self, self.settings)

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        asked = self.settings
        # YAKE knows stop words of more languages than there are analyzers
        analyzer = Analyzer.for_language(asked.language) if asked.language in LANGUAGES else ENGLISH
        extractor = self._package.KeywordExtractor(  # a new one for each call, since it caches what it has seen
            lan=asked.language, n=asked.max_words, window_size=asked.window, dedup_lim=asked.alike, top=asked.top
        )
        return [
            _phrases(document.text, analyzer, extractor.extract_keywords(document.text))
            for document in as_documents(documents)
        ]


def _phrases(text: str, analyzer: Analyzer, found: Sequence[tuple[str, float]]) -> list[Phrase]:
    source = SourceText(text, analyzer.for_text(text))
    weights = [1 / (1 + max(0.0, score)) for _, score in found]
    return [
        named_phrase(source, phrase, weight / weights[0]) for (phrase, _), weight in zip(found, weights, strict=True)
    ]
