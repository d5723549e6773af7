"""A shard of the documents, and how it comes out."""

import io
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from keyseq.errors import KeyseqError
from keyseq.imports import require
from keyseq.predictions.writers import Predictions, write_jsonl
from keyseq.systems.recipe import Recipe
from keyseq.types import Document, System


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


class Refused(NamedTuple):
    """Why nothing can be made of any shard."""

    reason: str


class Engine(Protocol):
    """What works on shards. It takes no more of them than it has room for, and returns them in any order."""

    def run(self, shards: Iterator[Shard], recipe: Recipe, format: str) -> Iterator[Made | Failed]:
        """Yield what becomes of each shard."""
        ...


class Maker:
    """Makes one shard after another by a system that is loaded for the first, wherever that is."""

    def __init__(self, recipe: Recipe, format: str) -> None:
        self._recipe, self._format = recipe, format
        self._system: System | None = None

    def make(self, shard: Shard) -> Made | Failed | Refused:
        """Predict a shard; a system that breaks on it spoils no other."""
        try:
            self._system = self._system or self._recipe.load_alone()
        except KeyseqError as error:
            return Refused(str(error))
        try:
            content = CONTENTS[self._format](self._recipe.predictions(self._system, shard.documents))
        except Exception as error:  # told at the end of the run
            reason = str(error) if isinstance(error, KeyseqError) else f"{type(error).__name__}: {error}"
            return Failed(shard.number, reason)
        return Made(shard.number, len(shard.documents), content)


def _jsonl(predictions: Predictions) -> bytes:
    text = io.StringIO()
    write_jsonl(predictions, text)
    # a lone surrogate as its escape, as in `files.write_whole`
    return text.getvalue().encode("utf-8", errors="backslashreplace")


def _parquet(predictions: Predictions) -> bytes:
    from keyseq.predictions.arrow import prediction_table

    require("pyarrow", "ray")
    import pyarrow.parquet

    content = io.BytesIO()
    pyarrow.parquet.write_table(prediction_table(predictions), content, compression="zstd")
    return content.getvalue()


CONTENTS: dict[str, Callable[[Predictions], bytes]] = {"jsonl": _jsonl, "parquet": _parquet}
