"""The base class of ranking methods: settings, language, and analysis of each text."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar, cast

from keyseq.config.fields import described
from keyseq.extractive.candidates import CandidateSettings
from keyseq.extractive.reading import Reading
from keyseq.text.analyzer import Analyzer
from keyseq.types import Document, Phrase, as_documents

Kind = TypeVar("Kind", bound=CandidateSettings)


class Ranker(ABC, Generic[Kind]):
    """A system that ranks the candidates of a text; threads may share it."""

    defaults: ClassVar[type[CandidateSettings]]

    def __init__(self, settings: Kind | None = None) -> None:
        self.settings: Kind = settings or cast(Kind, self.defaults())
        self.name, self.analyzer = self.settings.system, Analyzer.of(self.settings)

    def __reduce__(self) -> tuple[Any, ...]:  # without what was read from files, which another process reads itself
        return type(self), (self.settings,)

    def __repr__(self) -> str:
        return described(self, self.settings)

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [self.rank(Reading(document.text, self.analyzer)) for document in as_documents(documents)]

    @abstractmethod
    def rank(self, reading: Reading) -> list[Phrase]:
        """The ranked phrases of a text."""
