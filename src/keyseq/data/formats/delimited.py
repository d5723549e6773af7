"""CSV and TSV with named columns."""

import csv
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from keyseq.data.formats.columns import Columns
from keyseq.data.formats.encodings import HEAD, why_not_text
from keyseq.data.formats.source import LARGEST, CorpusSource
from keyseq.data.formats.table_records import Row, fits, table_documents
from keyseq.data.formats.target import CorpusTarget
from keyseq.errors import DataError
from keyseq.types import Document

HEADER = ("id", "title", "abstract", "keywords")
COMMA, TAB = ",", "\t"
CSV = (COMMA, ";", TAB, "|")  # delimiters of files that are called .csv, as spreadsheets of many countries write them
TSV = (TAB,)

_BOM = "\ufeff"


class RawRow(NamedTuple):
    """The text of a row as it stands in the file, and its cells; a row that is blank or cannot be parsed has none."""

    text: str
    row: Row | None


def read_csv(source: CorpusSource) -> Iterator[Document]:
    """Read comma-separated values; other delimiters are recognised by the header."""
    return _read(source, CSV)


def read_tsv(source: CorpusSource) -> Iterator[Document]:
    """Read tab-separated values."""
    return _read(source, TSV)


def write_csv(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write comma-separated values."""
    _write(documents, target, COMMA)


def write_tsv(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write tab-separated values."""
    _write(documents, target, TAB)


def _read(source: CorpusSource, delimiters: tuple[str, ...]) -> Iterator[Document]:
    return table_documents(source, (raw.row for raw in DelimitedFile(source, delimiters).rows() if raw.row))


class DelimitedFile:
    """A table in a text file: its delimiter, and its rows with their text as it is."""

    def __init__(self, source: CorpusSource, delimiters: tuple[str, ...]) -> None:
        self._source = source
        # a byte that is not UTF-8 becomes a lone surrogate, so that only its own row is bad
        self._lines: Iterator[str] = (line.decode("utf-8", "surrogateescape") for _, line in source.lines())
        first = next(self._lines, "")
        if "\0" in first[:HEAD]:
            raise DataError(why_not_text(first.encode("utf-8", "surrogateescape"), source.name))
        self._before, self._count = "", 0
        if first.removeprefix(_BOM).lower().startswith("sep=") and len(first.strip()) <= len("sep=;") + 1:
            delimiters = (first.removeprefix(_BOM).rstrip("\r\n")[4:5] or COMMA,)  # a line that only Excel reads
            self._before, self._count, first = first, 1, next(self._lines, "")
        elif first.startswith(_BOM):
            self._before, first = _BOM, first.removeprefix(_BOM)
        self.delimiter = _delimiter(source.columns, first, delimiters)
        self._lines = chain([first] if first else [], self._lines)

    def rows(self) -> Iterator[RawRow]:
        """Yield all rows; the first with cells is the header, whose number is 0.

        Strict, since an unclosed quote would otherwise silently swallow the rest of the file.
        """
        csv.field_size_limit(LARGEST)
        taken: list[str] = [self._before]
        reader = csv.reader(self._taking(taken), delimiter=self.delimiter, strict=True)
        number = 0
        while True:
            place = f"{self._source.name}:{self._count + reader.line_num + 1}"
            try:
                cells = next(reader, None)
            except csv.Error as error:
                problem = DataError(f"{place}: {_told(error)}")
                if number == 0:
                    raise problem from None
                self._source.pass_over(problem)
                cells = []
                number += 1
            text = "".join(taken)
            taken.clear()
            if cells is None:
                if text:
                    yield RawRow(text, None)
                return
            if any(map(str.strip, cells)):
                yield RawRow(text, Row(number, place, cells))
                number += 1
            else:
                yield RawRow(text, None)

    def _taking(self, taken: list[str]) -> Iterator[str]:
        for line in self._lines:
            taken.append(line)
            yield line


def _told(error: csv.Error) -> str:
    if "new-line character" in str(error):
        return "has the line ends of old Macs in cells or between rows; save it as CSV UTF-8"
    return f"{error}; is a quote left open, or not doubled inside a quoted cell?"


def _delimiter(columns: Columns, header: str, delimiters: tuple[str, ...]) -> str:
    """The delimiter with which a header names columns to read, or else the one that parts it most."""
    parted = {delimiter: _cells(header, delimiter) for delimiter in delimiters}
    fitting = (delimiter for delimiter, names in parted.items() if fits(columns, names))
    return next(fitting, None) or max(parted, key=lambda delimiter: len(parted[delimiter]))


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # which is reported when the row is read
        return []


def _write(documents: Iterable[Document], target: CorpusTarget, delimiter: str) -> None:
    with target.open() as out:
        # all quoted: csv does not quote a lone carriage return, which no reader accepts
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(HEADER)
        for document in documents:
            phrases = target.columns.join(document.keyphrases or (), document.id)
            writer.writerow((document.id, document.title, document.body, phrases))
