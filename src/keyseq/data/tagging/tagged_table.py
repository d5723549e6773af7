"""Add a column of keyphrases to CSV and TSV files; all other bytes stay."""

import csv
import io
from typing import BinaryIO

from keyseq.data.formats.delimited import CSV, TSV, DelimitedFile
from keyseq.data.formats.source import CorpusSource
from keyseq.data.formats.table_records import Header, Row
from keyseq.data.tagging.recoding import recoded
from keyseq.data.tagging.tags import Tags, same_column
from keyseq.errors import DataError

BOM = "\ufeff"


def tag_csv(source: CorpusSource, tags: Tags, out: BinaryIO) -> None:
    """Write comma-separated values, or those of another delimiter, with a column added."""
    _tag(source, tags, out, CSV)


def tag_tsv(source: CorpusSource, tags: Tags, out: BinaryIO) -> None:
    """Write tab-separated values with a column added."""
    _tag(source, tags, out, TSV)


def _tag(source: CorpusSource, tags: Tags, out: BinaryIO, delimiters: tuple[str, ...]) -> None:
    table, header = DelimitedFile(source, delimiters), None
    with recoded(source, out) as file:
        for raw in table.rows():
            text = raw.text if header else raw.text.removeprefix(BOM)  # which is written already
            if raw.row is None:
                file.write(text)
            elif header is None:
                header = Header(source, raw.row)
                file.write(_with_cell(text, checked_column(tags.rules.column, raw.row), table.delimiter))
            elif len(raw.row.cells) != len(header.names):
                file.write(text)
            else:
                file.write(_with_cell(text, cell_of(source, header, raw.row, tags), table.delimiter))


def checked_column(name: str, header: Row) -> str:
    """The name of the new column, which no other has."""
    if (there := same_column(name, header.cells)) is not None:
        raise DataError(f"{header.place}: has a column '{there}' already; name another one with --column")
    return name


def cell_of(source: CorpusSource, header: Header, row: Row, tags: Tags) -> str:
    """The phrases of a row as one cell; none for a row that is not a document."""
    for document in source.documents([row], header.document):
        separator = tags.rules.separator
        phrases = (phrase.replace(separator, " ") for phrase in tags.all_for(document))
        return f"{separator} ".join(phrases) if separator.strip() else separator.join(phrases)
    return ""


def _with_cell(text: str, cell: str, delimiter: str) -> str:
    """The text of a row with a cell added before its line end."""
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator="").writerow([cell])
    body = text.rstrip("\r\n")
    return f"{body}{delimiter}{'' if not cell else written.getvalue()}{text[len(body) :]}"
