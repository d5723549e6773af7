"""KeyBERT (Grootendorst, 2020), by the package keybert: phrases whose embedding is similar to that of the text."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from keyseq.config.fields import check, described, setting
from keyseq.extractive.ranking import named_phrase
from keyseq.imports import require
from keyseq.text.analyzer import ENGLISH
from keyseq.text.presence import SourceText
from keyseq.types import Document, Phrase, as_documents


@dataclass(frozen=True, kw_only=True)
class KeyBertSettings:
    """The settings of the package, under the names that keyseq uses."""

    system: ClassVar[str] = "keybert"
    model: str = setting(
        "all-MiniLM-L6-v2", "embedding model: a folder, or the name of one that is in the cache of the hub"
    )
    max_words: int = setting(3, "maximum words of a phrase", least=1)
    diversity: float = setting(
        0.0, "diversity of maximal marginal relevance (MMR), below 1; 0: no MMR", least=0, below=1
    )
    top: int = setting(10, "maximum number of phrases per document", least=1, most=1_000_000_000)

    def __post_init__(self) -> None:
        check(self.system, self)


class KeyBert:
    """A wrapper of KeyBERT; scores are cosines. `embeddings` may be any model that KeyBERT accepts."""

    name = KeyBertSettings.system

    def __init__(self, settings: KeyBertSettings | None = None, embeddings: Any = None) -> None:
        self.settings, self._embeddings = settings or KeyBertSettings(), embeddings
        self._package = require("keybert", "keybert")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.settings, self._embeddings)

    def __repr__(self) -> str:
        return described(self, self.settings)

    @cached_property
    def _model(self) -> Any:  # a KeyBERT
        """The model, loaded on first use."""
        embeddings = self._embeddings
        if embeddings is None:
            from keyseq.evaluation.embedding_models import load_embedding_model

            embeddings = load_embedding_model(self.settings.model).model
        return self._package.KeyBERT(embeddings)

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [self._rank(document.text) for document in as_documents(documents)]

    def _rank(self, text: str) -> list[Phrase]:
        source, asked = SourceText(text, ENGLISH.for_text(text)), self.settings
        found = self._model.extract_keywords(
            text,
            keyphrase_ngram_range=(1, asked.max_words),
            top_n=asked.top,
            use_mmr=asked.diversity > 0,
            diversity=asked.diversity,
        )
        return [named_phrase(source, phrase, min(1.0, max(0.0, cosine))) for phrase, cosine in found]
