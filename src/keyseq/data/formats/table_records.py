"""Tables with named columns, whatever their files: rows to documents."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from keyseq.data.formats.columns import Columns
from keyseq.data.formats.encodings import decode
from keyseq.data.formats.exports import adapted, columns_told
from keyseq.data.formats.publication_year import YEAR_COLUMNS, year_of
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.errors import DataError
from keyseq.types import Document

SUBJECTS = "subject_uris"  # as Annif has it: URIs, separated by spaces


class Row(NamedTuple):
    """A row that is not blank: its number from 1 (the header is 0), its place for messages, its cells."""

    number: int
    place: str
    cells: list[str]


class Header:
    """The columns of a table, and which of them are read."""

    def __init__(self, source: CorpusSource, row: Row) -> None:
        self.names = [_checked(name, row.place).strip() for name in row.cells]
        self.columns, export = adapted(source.columns, self.names)
        if not any(self.names):
            raise DataError(f"{row.place}: has no header with the names of columns")
        fields = self.columns.fields(filter(None, self.names), row.place)
        if twice := [field for field in fields if field is not None and self.names.count(field) > 1]:
            raise DataError(f"{row.place}: two columns are named '{twice[0]}'")
        years = (name for one in YEAR_COLUMNS for name in self.names if name.lower() == one)
        read = (*fields, SUBJECTS if SUBJECTS in self.names else None, next(years, None))
        self._places = [None if field is None else self.names.index(field) for field in read]
        if told := columns_told(fields, [name for name in self.names if name != SUBJECTS], export):
            source.report.tell(f"{source.name}: {told}")

    def document(self, row: Row) -> Document:
        """The document of a row."""
        if len(row.cells) != len(self.names):
            raise DataError(f"{row.place}: has {len(row.cells)} cells where the header has {len(self.names)}")
        key, title, body, phrases, uris, year = (
            None if place is None else _checked(row.cells[place], row.place) for place in self._places
        )
        return with_text(
            Document(
                id=key or str(row.number),
                title=title or "",
                body=body or "",
                keyphrases=None if phrases is None else self.columns.split(phrases),
                subjects=None if uris is None else tuple(uri.strip("<>") for uri in uris.split()),
                year=year_of(year),
            ),
            row.place,
        )


def table_documents(source: CorpusSource, rows: Iterator[Row]) -> Iterator[Document]:
    """The documents of rows, the first of which is the header."""
    header = Header(source, next(rows, Row(0, source.name, [])))
    return source.documents(rows, header.document)


def fits(columns: Columns, names: Sequence[str]) -> bool:
    """Whether a row of names could be the header of a table of documents."""
    shown = [name.strip() for name in names if name.strip()]
    try:
        adapted(columns, shown)[0].fields(shown, "")
    except DataError:
        return False
    return True


def _checked(cell: str, place: str) -> str:
    """A cell, if it was UTF-8 in its file: other bytes are lone surrogates in it."""
    try:
        cell.encode("utf-8")
    except UnicodeEncodeError:
        name, _, line = place.rpartition(":")
        decode(cell.encode("utf-8", "surrogateescape"), name, int(line))
    return cell
