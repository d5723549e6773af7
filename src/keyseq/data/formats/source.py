"""A corpus to read, and the handling of bad records."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from keyseq.data.formats.columns import Columns
from keyseq.data.formats.encodings import CHUNK, as_utf8, decode
from keyseq.data.formats.file_names import bare_name, name_to_id
from keyseq.data.formats.reading_report import ReadingReport
from keyseq.errors import DataError
from keyseq.files import open_binary
from keyseq.overwriting import reading
from keyseq.types import Document

Record = TypeVar("Record")

STDIN = "-"
NO_ABSTRACT = ("no abstract available", "no abstract")  # of Scopus and PubMed, in brackets or not
LARGEST = 1 << 28  # bytes: a longer line or document is not valid, and would exhaust memory


class TextlessError(DataError):
    """A record that can be read but holds no text."""


@dataclass(frozen=True, kw_only=True)
class CorpusSource:
    """A corpus to read. Without a path it is standard input.

    `part` is what follows a `#` in its name. `encoding` is that of texts, if it is not UTF-8. Remarks on the reading go
    to `report`.
    """

    path: Path | None
    part: str = ""
    columns: Columns = field(default_factory=Columns)
    encoding: str | None = None
    report: ReadingReport = field(default_factory=ReadingReport)

    @property
    def name(self) -> str:
        """Its name in messages."""
        return "standard input" if self.path is None else str(self.path)

    @property
    def stem(self) -> str:
        """The id of its document, if it holds one: the file's name without suffix and compression."""
        return "1" if self.path is None else name_to_id(bare_name(self.path.name))

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Open it for reading, decompressed; standard input is not closed again."""
        return standard_input() if self.path is None else open_binary(self.path)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield its lines in UTF-8 with their numbers: bytes, so that a line that is not UTF-8 is one bad record."""
        with self.open() as opened:
            file = as_utf8(opened, self.encoding, self.name)
            for number, line in enumerate(iter(partial(file.readline, LARGEST), b""), start=1):
                if len(line) == LARGEST:
                    raise DataError(f"{self.name}:{number}: a line of over {LARGEST >> 20} MiB; check the format")
                yield number, line

    def content(self) -> bytes:
        """Read all of it, as it is."""
        with self.open() as file:
            return limited(whole(file), self.name)

    def text(self) -> str:
        """Read all of it as text, its line ends as they are."""
        with self.open() as file:
            return decode(limited(whole(as_utf8(file, self.encoding, self.name)), self.name), self.name)

    def documents(self, records: Iterable[Record], parse: Callable[[Record], Document]) -> Iterator[Document]:
        """Yield the document of each record; errors are raised or recorded, as the user chose."""
        for record in records:
            try:
                document = parse(record)
            except DataError as error:
                self.pass_over(error)
            except RecursionError:
                self.pass_over(DataError(f"{self.name}: is nested too deeply to be read"))
            else:
                yield document

    def pass_over(self, error: DataError) -> None:
        """Record the error of a bad record, or raise it unless such records are passed over."""
        kept = self.report.textless if isinstance(error, TextlessError) else None
        kept = self.report.skipped if kept is None else kept
        if kept is None:
            advice = self.report.advice  # unless the error has its own
            raise type(error)(f"{error}; {advice}") if advice and "--" not in str(error) else error
        kept.append(str(error))


def standard_input() -> AbstractContextManager[BinaryIO]:
    """Standard input, which may be a file too."""
    with suppress(OSError):  # a stream that has no file descriptor
        reading(sys.stdin.fileno())
    return nullcontext(sys.stdin.buffer)


def whole(file: BinaryIO) -> bytes:
    """All that a file holds, up to the limit, in memory that grows with it."""
    pieces, size = [], 0
    while size < LARGEST and (piece := file.read(min(CHUNK, LARGEST - size))):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def limited(data: bytes, name: str) -> bytes:
    """Refuse data that reached the limit."""
    if len(data) >= LARGEST:
        raise DataError(f"{name}: over {LARGEST >> 20} MiB, more than the limit")
    return data


def with_text(document: Document, place: str) -> Document:
    """Refuse a document without text; placeholders of databases do not count as text."""
    if document.body.strip(" .[]").casefold() in NO_ABSTRACT:
        document = replace(document, body="")
    if not (document.title.strip() or document.body.strip()):
        raise TextlessError(f"{place}: has no text")
    return document
