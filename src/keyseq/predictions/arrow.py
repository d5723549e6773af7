"""Predictions as Arrow tables, for Parquet files and Ray Data."""

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, BinaryIO

from keyseq.predictions.writers import Predictions, concept_fields
from keyseq.types import SCORE_DIGITS, Phrase

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 1024  # written at a time


def phrases_type() -> "pa.DataType":
    """The Arrow type of a list of phrases with score, presence, spans and, under a vocabulary, their concepts."""
    import pyarrow as pa

    span = pa.list_(pa.int32())
    phrase = [("text", pa.string()), ("score", pa.float64()), ("present", pa.bool_()), ("spans", pa.list_(span))]
    concept = [("uri", pa.string()), ("matched", pa.string()), ("new", pa.bool_())]
    return pa.list_(pa.struct([*phrase, *concept]))


def phrase_rows(phrases: Iterable[Phrase]) -> list[dict[str, Any]]:
    """Phrases as rows of that type; a lone surrogate, which Arrow cannot store, becomes a question mark."""
    return [
        {
            "text": _storable(phrase.text),
            "score": round(phrase.score, SCORE_DIGITS),
            "present": phrase.present,
            "spans": [list(span) for span in phrase.spans],
            **concept_fields(phrase),
        }
        for phrase in phrases
    ]


def prediction_table(predictions: Predictions) -> "pa.Table":
    """A table of document ids and their keyphrases."""
    import pyarrow as pa

    rows = [(_storable(document.id), phrase_rows(phrases)) for document, phrases in predictions]
    ids, found = zip(*rows, strict=True) if rows else ((), ())
    return pa.table(
        {"id": pa.array(ids, pa.string()), "keyphrases": pa.array(found, phrases_type())},
    )


def write_parquet(predictions: Predictions, out: BinaryIO) -> None:
    """Write predictions as such a table, some rows at a time."""
    from pyarrow.parquet import ParquetWriter

    rest = iter(predictions)
    with ParquetWriter(out, prediction_table(()).schema) as writer:
        while rows := list(itertools.islice(rest, ROWS)):
            writer.write_table(prediction_table(rows))


def _storable(text: str) -> str:
    return text.encode("utf-8", errors="replace").decode("utf-8")
