"""A shard of the documents, and its result."""

import io
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from keyseq.errors import KeyseqError
from keyseq.imports import require
from keyseq.predictions.writers import Predictions, write_jsonl
from keyseq.systems.recipe import Recipe
from keyseq.types import Document, System


class Shard(NamedTuple):
    """Documents that are predicted together, and the number of their part."""

    number: int
    documents: list[Document]

    def made(self, predictions: Predictions, format: str) -> "Made":
        """The shard's predictions in a format of part files."""
        return Made(self.number, len(self.documents), CONTENTS[format](predictions))


class Made(NamedTuple):
    """A shard's predictions, serialised."""

    number: int
    documents: int
    content: bytes


class Failed(NamedTuple):
    """A shard without predictions, and the reason."""

    number: int
    reason: str


class Refused(NamedTuple):
    """The reason why no shard can be predicted: the system does not load."""

    reason: str


class Engine(Protocol):
    """Predicts shards. It takes no more of them than it has workers for, and returns them in any order."""

    def run(self, shards: Iterator[Shard], recipe: Recipe, format: str) -> Iterator[Made | Failed]:
        """Yield the result of each shard."""
        ...


class Maker:
    """Predicts one shard after another, in a worker; the system is loaded for the first."""

    def __init__(self, recipe: Recipe, format: str) -> None:
        self._recipe, self._format = recipe, format
        self._system: System | None = None

    def make(self, shard: Shard) -> Made | Failed | Refused:
        """Predict a shard; an error fails this shard only."""
        try:
            self._system = self._system or self._recipe.load_alone()
        except KeyseqError as error:
            return Refused(str(error))
        try:
            return shard.made(self._recipe.predictions(self._system, shard.documents), self._format)
        except Exception as error:  # reported at the end of the job
            reason = str(error) if isinstance(error, KeyseqError) else f"{type(error).__name__}: {error}"
            return Failed(shard.number, reason)


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
