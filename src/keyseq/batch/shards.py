"""A shard of the documents, and how it comes out."""

import io
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from keyseq.errors import KeyseqError
from keyseq.systems.phrase_formats import write_jsonl
from keyseq.systems.recipe import Recipe
from keyseq.types import Document


class Shard(NamedTuple):
    """Documents that are worked on together, and their place in the order of all."""

    number: int
    documents: list[Document]


class Made(NamedTuple):
    """A shard's predictions, as they are to be written."""

    number: int
    documents: int
    content: bytes


class Failed(NamedTuple):
    """A shard that has no predictions, and why."""

    number: int
    reason: str


class Engine(Protocol):
    """What works on shards. It takes no more of them than it has room for, and returns them in any order."""

    def run(self, shards: Iterator[Shard], recipe: Recipe, format: str) -> Iterator[Made | Failed]:
        """Yield what becomes of each shard."""
        ...


class Maker:
    """A system, loaded once, that makes one shard after another."""

    def __init__(self, recipe: Recipe, format: str) -> None:
        self._recipe, self._format, self._system = recipe, format, recipe.load_alone()

    def make(self, shard: Shard) -> Made | Failed:
        """Predict a shard; a system that breaks on it spoils no other."""
        try:
            content = self._content(shard.documents)
        except Exception as error:  # told at the end of the run
            reason = str(error) if isinstance(error, KeyseqError) else f"{type(error).__name__}: {error}"
            return Failed(shard.number, reason)
        return Made(shard.number, len(shard.documents), content)

    def _content(self, documents: list[Document]) -> bytes:
        text = io.StringIO()
        write_jsonl(self._recipe.predictions(self._system, documents), text)
        # a lone surrogate as its escape, as in `files.write_whole`
        return text.getvalue().encode("utf-8", errors="backslashreplace")
