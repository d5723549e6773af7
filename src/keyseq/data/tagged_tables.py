"""Add a column of keyphrases to CSV and TSV tables, leaving everything else unchanged."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from keyseq.data.formats.delimited import CSV, TSV, DelimitedFile, RawRow
from keyseq.data.formats.report import ReadingReport
from keyseq.data.formats.source import CorpusSource
from keyseq.data.formats.tables import Header
from keyseq.errors import DataError

COLUMN = "keyphrases"
SEPARATOR = "; "
TABLES = {".csv": CSV, ".tsv": TSV, ".tab": TSV}  # delimiters by suffix
Phrases = Callable[[], Sequence[str]]


def tagged_rows(delimiters: tuple[str, ...], source: CorpusSource, take: Phrases) -> Iterator[str]:
    """Yield the text of a table with one more cell per row; `take` gives the phrases of the next document.

    A row without a text gets an empty cell. A row that cannot be read stays as it is, as do blank lines.
    """
    source = replace(source, report=ReadingReport(skipped=[]))
    file = DelimitedFile(source, delimiters)
    header: Header | None = None
    for raw in file.rows():
        if raw.row is None:
            yield raw.text
        elif header is None:
            header = Header(source, raw.row)
            yield _with_cell(raw, _new_name(header.names), file.delimiter)
        elif len(raw.row.cells) != len(header.names):
            yield raw.text
        else:
            yield _with_cell(raw, SEPARATOR.join(_phrases(header, raw, take)), file.delimiter)


def _phrases(header: Header, raw: RawRow, take: Phrases) -> Sequence[str]:
    assert raw.row is not None  # noqa: S101  # rows without cells were sorted out
    try:
        header.document(raw.row)
    except DataError:  # it has no text, or is not UTF-8
        return ()
    return take()


def _new_name(names: Sequence[str]) -> str:
    """The name of the new column, numbered if the table has one of that name."""
    number, name = 1, COLUMN
    while name in names:
        number += 1
        name = f"{COLUMN} {number}"
    return name


def _with_cell(raw: RawRow, cell: str, delimiter: str) -> str:
    content = raw.text.rstrip("\r\n")
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow([cell])
    written = "" if cell == "" else out.getvalue()  # csv quotes a row of one empty cell
    return f"{content}{delimiter}{written}{raw.text[len(content) :]}"
