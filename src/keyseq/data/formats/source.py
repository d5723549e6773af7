"""A corpus to read, and the handling of bad records."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from keyseq.data.formats.columns import Columns
from keyseq.errors import DataError
from keyseq.files import open_binary
from keyseq.overwriting import reading
from keyseq.types import Document

Record = TypeVar("Record")

STDIN = "-"
LARGEST = 1 << 28  # bytes: a longer line or document is not valid, and would exhaust memory
_BOM = "\ufeff"


@dataclass(frozen=True, kw_only=True)
class CorpusSource:
    """A corpus to read. Without a path it is standard input.

    `part` is what follows a `#` in its name. With a list in `skipped`, errors of bad records are appended to it.
    """

    path: Path | None
    part: str = ""
    columns: Columns = field(default_factory=Columns)
    skipped: list[str] | None = None

    @cached_property
    def name(self) -> str:
        """Its name in messages."""
        return "standard input" if self.path is None else str(self.path)

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Open it for reading, decompressed; standard input is not closed again."""
        return standard_input() if self.path is None else open_binary(self.path)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield its lines with their numbers: bytes, so that a line that is not UTF-8 is one bad record."""
        with self.open() as file:
            for number, line in enumerate(iter(partial(file.readline, LARGEST), b""), start=1):
                if len(line) == LARGEST:
                    raise DataError(f"{self.name}:{number}: a line of over {LARGEST >> 20} MiB; check the format")
                yield number, line

    def content(self) -> bytes:
        """Read all of it."""
        with self.open() as file:
            return limited(file.read(LARGEST), self.name)

    def documents(self, records: Iterable[Record], parse: Callable[[Record], Document]) -> Iterator[Document]:
        """Yield the document of each record; errors are raised or recorded, as the user chose."""
        for record in records:
            try:
                document = parse(record)
            except DataError as error:
                self.pass_over(error)
                continue
            yield document

    def pass_over(self, error: DataError) -> None:
        """Record the error of a bad record, or raise it unless bad records are skipped."""
        if self.skipped is None:
            raise error
        self.skipped.append(str(error))


def standard_input() -> AbstractContextManager[BinaryIO]:
    """Standard input, which may be a file too."""
    with suppress(OSError):  # a stream that has no file descriptor
        reading(sys.stdin.fileno())
    return nullcontext(sys.stdin.buffer)


def limited(data: bytes, name: str) -> bytes:
    """Refuse data that reached the limit."""
    if len(data) >= LARGEST:
        raise DataError(f"{name}: over {LARGEST >> 20} MiB, more than the limit")
    return data


def decode(data: bytes, name: str, line: int = 1) -> str:
    """Decode UTF-8 without byte order mark; `line` is the number of the first line."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        number = line + data.count(b"\n", 0, error.start)
        byte = f"0x{data[error.start]:02X}"
        raise DataError(
            f"{name}:{number}: not UTF-8 (byte {byte}); convert the file first, e.g. with iconv -f latin1 -t utf-8"
        ) from None
    return text.removeprefix(_BOM) if line == 1 else text


def with_text(document: Document, place: str) -> Document:
    """Refuse a document without text."""
    if not (document.title.strip() or document.body.strip()):
        raise DataError(f"{place}: has no text")
    return document
