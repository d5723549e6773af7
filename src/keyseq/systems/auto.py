"""The default system: each text by the combined system for its kind."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from keyseq.systems.combined import CombinedParts, CombinedSystem, read_parts
from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.hub import PRETRAINED
from keyseq.systems.reloading import Reloadable
from keyseq.systems.router import Router
from keyseq.text.analyzer import ENGLISH
from keyseq.types import Document, Phrase, as_documents

ROUTER = PRETRAINED / "auto" / "router.safetensors"


class AutoSystem(Reloadable):
    """Chooses between the combined systems of the package by the text itself; threads may share it."""

    name = "auto"

    def __init__(self, settings: CombinedSettings | None = None, parts: dict[str, CombinedParts] | None = None) -> None:
        self.settings = settings or CombinedSettings()
        self._parts = {} if parts is None else parts  # of the systems that were needed so far, under any settings
        self._systems: dict[str, CombinedSystem] = {}  # under these settings
        self.settings.check_new(self.settings.terms)
        if self.settings.terms is not None:
            self.settings.terms.index(ENGLISH)  # a vocabulary without English labels is refused before there is a text

    @cached_property
    def router(self) -> Router:
        """The classifier of texts, read when it is first needed."""
        return Router.load(ROUTER)

    def choose(self, documents: Sequence[str | Document]) -> list[str]:
        """The name of the system for each document."""
        return [self.router.choose(document) for document in as_documents(documents)]

    def predict(self, documents: Sequence[str | Document]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document; the evidence of each says which system it is from."""
        given = as_documents(documents)
        found: list[list[Phrase]] = [[] for _ in given]
        for system, numbers in self.routed(given):
            for number, phrases in zip(numbers, system.predict([given[at] for at in numbers]), strict=True):
                found[number] = phrases
        return found

    def routed(self, documents: Sequence[Document]) -> Iterator[tuple[CombinedSystem, list[int]]]:
        """The systems for some documents, each with the indices of its documents."""
        chosen = self.choose(documents)
        for name in dict.fromkeys(chosen):
            yield self._system(name), [number for number, one in enumerate(chosen) if one == name]

    def with_settings(self, **settings: Any) -> "AutoSystem":
        """The same systems, loaded once, under other settings."""
        return AutoSystem(CombinedSettings(**settings), self._parts)

    def _system(self, name: str) -> CombinedSystem:
        if name not in self._parts:
            self._parts[name] = read_parts(PRETRAINED / name)
        if name not in self._systems:
            self._systems[name] = CombinedSystem(name, self._parts[name], self.settings)
        return self._systems[name]
