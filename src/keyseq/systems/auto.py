"""The default system: each text by the combined system for its language and its kind."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from keyseq.languages import ANY, ENGLISH
from keyseq.systems.combined import CombinedParts, CombinedSystem, read_parts
from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.hub import PRETRAINED
from keyseq.systems.language_ranker import LanguageRanker
from keyseq.systems.language_systems import RANKER, is_foreign, system_for
from keyseq.systems.reloading import Reloadable
from keyseq.systems.router import Router
from keyseq.text.analyzer import Analyzer
from keyseq.text.detection import DetectedLanguage, detect
from keyseq.types import SCORE_DIGITS, Document, Phrase, as_documents

ROUTER = PRETRAINED / "auto" / "router.safetensors"


class Route(NamedTuple):
    """The system for a document, and the code of the language that it reads it in."""

    system: str
    language: str = ENGLISH


class AutoSystem(Reloadable):
    """Chooses between the systems of the package by the text itself; threads may share it."""

    name = "auto"

    def __init__(self, settings: CombinedSettings | None = None, parts: dict[str, CombinedParts] | None = None) -> None:
        self.settings = settings or CombinedSettings()
        self._parts = {} if parts is None else parts  # of the systems that were needed so far, under any settings
        self._systems: dict[Route, CombinedSystem | LanguageRanker] = {}  # under these settings
        self.settings.check_new(self.settings.terms)
        if self.settings.terms is not None:  # a vocabulary without labels in the language is refused before a text
            self.settings.terms.index(Analyzer.for_language(self.settings.language or ENGLISH))

    @cached_property
    def router(self) -> Router:
        """The classifier of English texts, read when it is first needed."""
        return Router.load(ROUTER)

    def detected(self, document: Document) -> DetectedLanguage:
        """The language of a document: the one that was named, or else the one that is detected."""
        if self.settings.language is not None:
            return DetectedLanguage(self.settings.language, "", 1.0)
        return detect(document.text)

    def route(self, document: Document) -> Route:
        """The system for a document, and the language it is read in."""
        return self._route(document, self.detected(document).code)

    def _route(self, document: Document, code: str) -> Route:
        if not is_foreign(code) or not self._has_labels(code):
            return Route(self.router.choose(document))
        return Route(system_for(code), code)

    def choose(self, documents: Sequence[str | Document]) -> list[str]:
        """The name of the system for each document."""
        return [self.route(document).system for document in as_documents(documents)]

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document; the evidence of each names its system."""
        given = as_documents(documents)
        languages = list(map(self.detected, given))
        found: list[list[Phrase]] = [[] for _ in given]
        for system, numbers in self._routed(given, languages):
            for number, phrases in zip(numbers, system.predict([given[at] for at in numbers]), strict=True):
                is_named = self.settings.language is not None
                found[number] = phrases if is_named else [_confident(phrase, languages[number]) for phrase in phrases]
        return found

    def routed(self, documents: Sequence[Document]) -> Iterator[tuple[CombinedSystem | LanguageRanker, list[int]]]:
        """The systems for some documents, each with the indices of its documents."""
        return self._routed(documents, list(map(self.detected, documents)))

    def _routed(
        self, documents: Sequence[Document], languages: Sequence[DetectedLanguage]
    ) -> Iterator[tuple[CombinedSystem | LanguageRanker, list[int]]]:
        chosen = [self._route(document, found.code) for document, found in zip(documents, languages, strict=True)]
        for route in dict.fromkeys(chosen):
            yield self._system(route), [number for number, one in enumerate(chosen) if one == route]

    def with_settings(self, **settings: Any) -> "AutoSystem":
        """The same systems, loaded once, under other settings."""
        return AutoSystem(CombinedSettings(**settings), self._parts)

    def _has_labels(self, code: str) -> bool:
        """Whether concepts can be given in a language: a vocabulary, if there is one, needs labels, and a system."""
        terms = self.settings.terms
        return terms is None or (system_for(code) != RANKER and not terms.languages.keys().isdisjoint((code, "")))

    def _system(self, route: Route) -> CombinedSystem | LanguageRanker:
        if route not in self._systems:
            self._systems[route] = self._loaded(route, replace(self.settings, language=None))
        return self._systems[route]

    def _loaded(self, route: Route, settings: CombinedSettings) -> CombinedSystem | LanguageRanker:
        if route.system == RANKER:
            return LanguageRanker(route.language, settings)
        if route.system not in self._parts:
            self._parts[route.system] = read_parts(PRETRAINED / route.system)
        parts = self._parts[route.system]
        if parts.analyzer.language == ANY:  # detected already
            parts = parts._replace(analyzer=Analyzer.for_detected(route.language))
        return CombinedSystem(route.system, parts, settings)


def _confident(phrase: Phrase, found: DetectedLanguage) -> Phrase:
    """A phrase with the confidence in its language as evidence, if the text was read in that language."""
    if phrase.evidence is None or phrase.evidence.language != found.code:
        return phrase
    return replace(phrase, evidence=replace(phrase.evidence, language_confidence=round(found.confidence, SCORE_DIGITS)))
