"""Excel workbooks: the rows of the first sheet that has a header with a title or a text."""

import io
import warnings
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import chain, islice
from typing import Any, NamedTuple

from keyseq.data.formats.packages import open_package
from keyseq.data.formats.source import CorpusSource
from keyseq.data.formats.table_records import Row, fits, table_documents
from keyseq.errors import DataError
from keyseq.imports import require
from keyseq.types import Document

SEARCHED = 10  # rows at the top of a sheet in which its header may stand

Numbered = tuple[int, list[str]]  # the number of a row in its sheet, and its cells


class Sheet(NamedTuple):
    """A sheet of documents: its name, and its rows from the header on, with their numbers in the sheet."""

    name: str
    rows: Iterator[tuple[int, Row]]


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the rows of a sheet as documents."""
    return table_documents(source, (row for _, row in open_sheet(source).rows))


def open_sheet(source: CorpusSource) -> Sheet:
    """The sheet of documents of a workbook."""
    require("openpyxl", "files")
    with open_package(source, "Excel (.xlsx)") as package:  # which detects a file that is damaged, encrypted or a bomb
        package.check_size()
    workbook = _workbook(source)
    first = None
    for worksheet in workbook.worksheets:
        rows = _numbered(source, worksheet)
        top = list(islice(rows, SEARCHED))
        first = first or (worksheet.title, top, rows)
        for place, (_, cells) in enumerate(top):
            if fits(source.columns, cells):
                return Sheet(worksheet.title, _rows(source, worksheet.title, chain(top[place:], rows)))
    if first is None:
        raise DataError(f"{source.name}: holds no sheet")
    name, top, rows = first
    return Sheet(name, _rows(source, name, chain(top, rows)))


def _workbook(source: CorpusSource) -> Any:
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about parts that are not read here
            return load_workbook(io.BytesIO(source.content()), read_only=True, data_only=True)
    except Exception as error:  # a damaged file can raise anything
        raise _damaged(source, error) from None


def _damaged(source: CorpusSource, error: Exception) -> DataError:
    reason = " ".join(str(error).split())[:100] or type(error).__name__
    return DataError(f"{source.name}: damaged, or not an Excel file ({reason})")


def _numbered(source: CorpusSource, worksheet: Any) -> Iterator[Numbered]:
    """The rows of a sheet that are not blank."""
    worksheet.reset_dimensions()  # which a file may state wrongly
    try:
        for number, values in enumerate(worksheet.iter_rows(values_only=True), start=1):
            cells = [_text(value) for value in values]
            if any(map(str.strip, cells)):
                yield number, cells
    except Exception as error:  # as above
        raise _damaged(source, error) from None


def _rows(source: CorpusSource, name: str, numbered: Iterable[Numbered]) -> Iterator[tuple[int, Row]]:
    """The rows as a table has them, each as long as the header."""
    width = 0
    for number, (place, cells) in enumerate(numbered):
        width = width or len(_stripped(cells))
        filled = _stripped(cells)
        filled += [""] * (width - len(filled))
        yield place, Row(number, f"{source.name}: row {place} of sheet '{name}'", filled)


def _stripped(cells: Sequence[str]) -> list[str]:
    """The cells without empty ones at the end."""
    last = max((place for place, cell in enumerate(cells, start=1) if cell.strip()), default=0)
    return list(cells[:last])


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value)
