"""Add a column of keyphrases to an Excel workbook; its other cells, sheets, formulas and styles stay."""

import io
import warnings
from typing import BinaryIO

from keyseq.data.formats.sheet import open_sheet
from keyseq.data.formats.source import CorpusSource
from keyseq.data.formats.table_records import Header
from keyseq.data.tagging.tagged_table import cell_of, checked_column
from keyseq.data.tagging.tags import Tags


def tag_sheet(source: CorpusSource, tags: Tags, out: BinaryIO) -> None:
    """Write a workbook with a column behind the last one of the sheet that its documents are in."""
    sheet = open_sheet(source)
    from openpyxl import load_workbook

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what this library does not know
        workbook = load_workbook(io.BytesIO(source.content()), keep_vba=source.name.lower().endswith(".xlsm"))
    worksheet = workbook[sheet.name]
    column = worksheet.max_column + 1
    number, first = next(sheet.rows)
    header = Header(source, first)
    worksheet.cell(number, column, checked_column(tags.rules.column, first))
    for number, row in sheet.rows:
        if len(row.cells) == len(header.names) and (cell := cell_of(source, header, row, tags)):
            worksheet.cell(number, column, cell)
    workbook.save(out)
