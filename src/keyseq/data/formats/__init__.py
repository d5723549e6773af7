"""Read and write corpora in every format as streams of documents."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from keyseq.data.formats.columns import Columns
from keyseq.data.formats.document_reading import CorpusReading
from keyseq.data.formats.format import Format
from keyseq.data.formats.format_registry import FORMATS
from keyseq.data.formats.reading_report import ReadingReport
from keyseq.data.formats.recognition import ARCHIVE, by_suffix, named
from keyseq.data.formats.target import CorpusTarget
from keyseq.errors import DataError
from keyseq.types import Document

__all__ = [
    "FORMATS",
    "Columns",
    "CorpusReading",
    "Format",
    "ReadingReport",
    "format_to_write",
    "read_documents",
    "write_documents",
]


def read_documents(
    path: Path | str,
    *,
    format: str | None = None,
    columns: Columns | None = None,
    skipped: list[str] | None = None,
) -> Iterator[Document]:
    """Stream the documents of a corpus; "-" is standard input.

    The first bad record raises a `DataError`, unless `skipped` is a list, to which the errors are appended.
    """
    return CorpusReading(format=format, columns=columns or Columns()).documents(path, ReadingReport(skipped=skipped))


def write_documents(
    documents: Iterable[Document],
    path: Path | str | IO[str],
    format: str | None = None,
    columns: Columns | None = None,
) -> int:
    """Write a corpus to a file or folder, atomically, or to an open stream; return the number of documents."""
    to = Path(path) if isinstance(path, str) else path
    name = format_to_write(to, format)
    write = FORMATS[name].write
    if write is None:
        writable = [other for other, known in FORMATS.working().items() if known.write]
        raise DataError(f"{name} can be read but not written; choose one of {', '.join(writable)}")
    count = 0

    def counted() -> Iterator[Document]:
        nonlocal count
        for document in documents:
            yield document
            count += 1

    write(counted(), CorpusTarget(to=to, columns=columns or Columns()))
    return count


def format_to_write(path: Path | IO[str], format: str | None = None) -> str:
    """The name of the format to write: the given one, or that of the file's suffix."""
    if format is not None:
        named(format)
        return format
    if not isinstance(path, Path):
        return "jsonl"
    return "keyword-extractor" if path.suffix.lower() == ARCHIVE else by_suffix(path, "--to")
