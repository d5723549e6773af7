"""Parquet: the rows of a table as documents."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from keyseq.data.formats.columns import Columns
from keyseq.data.formats.exports import adapted, columns_told
from keyseq.data.formats.jsonl import record_document
from keyseq.data.formats.source import CorpusSource
from keyseq.errors import DataError
from keyseq.imports import require
from keyseq.types import Document

BATCH = 1024  # rows read at a time


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the rows of a file, whose lists may be keyphrases."""
    require("pyarrow", "parquet")
    with source.open() as file:
        yield from parquet_documents(source, file)


def parquet_documents(source: CorpusSource, file: Any) -> Iterator[Document]:
    """The documents of an open file."""
    from pyarrow.parquet import ParquetFile

    with told_if_damaged(source):
        content = ParquetFile(file)
        document, fields = row_reader(source, content.schema_arrow.names)
        batches = content.iter_batches(batch_size=BATCH, columns=fields)
        rows = enumerate((row for batch in batches for row in batch.to_pylist()), start=1)
        yield from source.documents(rows, document)


def row_reader(
    source: CorpusSource, names: list[str]
) -> tuple[Callable[[tuple[int, dict[str, Any]]], Document], list[str] | None]:
    """What makes a document of a numbered row, and the columns that it needs, None for all."""
    columns, fields = _columns(source, names)
    return lambda row: record_document(row[1], row[0], f"{source.name}:{row[0]}", columns), fields


@contextmanager
def told_if_damaged(source: CorpusSource) -> Iterator[None]:
    """Tell what Arrow raises in one sentence."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise DataError(f"{source.name}: damaged, or not a Parquet file ({reason})") from None


def _columns(source: CorpusSource, names: list[str]) -> tuple[Columns, list[str] | None]:
    """How the columns are read, and which of them are needed."""
    if "document" in names:  # the layout of midas
        return source.columns, None
    columns, export = adapted(source.columns, names)
    fields = columns.fields(names, source.name)
    if told := columns_told(fields, names, export):
        source.report.tell(f"{source.name}: {told}")
    return columns, [field for field in fields if field is not None]
