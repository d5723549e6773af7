"""A system and its settings, to be loaded in any process."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from keyseq.data.parallel import chunked
from keyseq.systems.registry import load, settings_class
from keyseq.types import Document, Phrase, System

BATCH = 256  # documents per call of a system: several batches of a network


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A system by name, with its settings; it can be sent to other processes."""

    system: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def load(self, **more: Any) -> System:  # fields of the system's settings
        """Load the system with its settings."""
        return load(self.system, **{**self.settings, **more})

    def load_alone(self) -> System:
        """Load the system for a process with a single core."""
        has_threads = "threads" in {field.name for field in fields(settings_class(self.system))}
        return self.load(**({"threads": 1} if has_threads else {}))

    def predictions(self, system: System, documents: Iterable[Document]) -> Iterator[tuple[Document, list[Phrase]]]:
        """Yield each document with its phrases, in order."""
        for batch in chunked(documents, BATCH):
            yield from zip(batch, system.predict(batch), strict=True)
