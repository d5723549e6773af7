"""Prediction files that are tables: a phrase in each row, or all phrases of a document in one cell."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from keyseq.errors import DataError, shown
from keyseq.files import open_binary
from keyseq.predictions.readers import GENERATED, Prediction, split

IDS = ("id", "doc_id", "document_id", "document", "paper_id")
PHRASE = ("keyphrase", "phrase")  # the column of one phrase
PHRASES = ("keyphrases", "predicted", "predictions", "prediction", "keywords", GENERATED)  # and of all of a document


def read_table(path: Path, delimiter: str, separator: str) -> Iterator[Prediction]:
    """Read a table; rows with one phrase each are in the order of the phrases, those of a document together or not."""
    rows = _rows(path, delimiter)
    header = [name.strip().lower() for name in next(rows, (0, []))[1]]
    key, one, several = (_column(header, names) for names in (IDS, PHRASE, PHRASES))
    if one is not None and key is not None:
        return _grouped(path, rows, key, one)
    if several is None:
        found = shown(", ".join(header)) or "none"
        raise DataError(
            f"{path}: has no column of phrases; name one 'keyphrases', or for one phrase per row 'id' and 'keyphrase';"
            f" it has {found}"
        )
    return _wide(path, rows, key, several, separator)


def _column(header: Sequence[str], names: Sequence[str]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, with their line numbers."""
    csv.field_size_limit(1 << 28)
    with open_binary(path) as file:
        lines = (line.decode("utf-8-sig" if number == 0 else "utf-8") for number, line in enumerate(file))
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            for cells in reader:
                if any(map(str.strip, cells)):
                    yield reader.line_num, cells
        except csv.Error as error:
            raise DataError(f"{path}:{reader.line_num}: {error}") from None
        except UnicodeDecodeError:
            raise DataError(f"{path}:{reader.line_num + 1}: not UTF-8 text; convert the file to UTF-8") from None


def _cell(path: Path, line: int, cells: list[str], column: int) -> str:
    if column >= len(cells):
        raise DataError(f"{path}:{line}: has {len(cells)} cells, and none in column {column + 1}")
    return cells[column]


def _grouped(path: Path, rows: Iterator[tuple[int, list[str]]], key: int, one: int) -> Iterator[Prediction]:
    found: dict[str, Prediction] = {}
    for line, cells in rows:
        name, phrase = _cell(path, line, cells, key), _cell(path, line, cells, one).strip()
        prediction = found.setdefault(name, Prediction(name, [], f"{path}:{line}", partial=True))
        if phrase:
            prediction.phrases.append(phrase)
    yield from found.values()


def _wide(
    path: Path, rows: Iterator[tuple[int, list[str]]], key: int | None, several: int, separator: str
) -> Iterator[Prediction]:
    for line, cells in rows:
        name = None if key is None else _cell(path, line, cells, key)
        yield Prediction(name, split(_cell(path, line, cells, several), separator), f"{path}:{line}")
