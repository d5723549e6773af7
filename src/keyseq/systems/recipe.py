"""How keyphrases are to be made: a system and its settings."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from keyseq.data.parallel import chunked
from keyseq.systems.registry import load, settings_class
from keyseq.types import Document, Phrase, System

BATCH = 256  # documents that a system gets at a time: several batches of a network's


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A system by its name, and its settings. Another process can follow it too."""

    system: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def load(self, **more: Any) -> System:  # fields of the system's settings
        """Load the system under its settings."""
        return load(self.system, **{**self.settings, **more})

    def load_alone(self) -> System:
        """Load the system for a process that has one core to itself."""
        has_threads = "threads" in {field.name for field in fields(settings_class(self.system))}
        return self.load(**({"threads": 1} if has_threads else {}))

    def predictions(self, system: System, documents: Iterable[Document]) -> Iterator[tuple[Document, list[Phrase]]]:
        """Yield each document with its phrases, in order."""
        for batch in chunked(documents, BATCH):
            yield from zip(batch, system.predict(batch), strict=True)
