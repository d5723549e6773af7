"""CSV and TSV with named columns."""

import csv
from collections.abc import Iterable, Iterator

from keyseq.data.formats.source import LARGEST, CorpusSource, decode, with_text
from keyseq.data.formats.target import CorpusTarget
from keyseq.errors import DataError
from keyseq.types import Document

HEADER = ("id", "title", "abstract", "keywords")


def read_csv(source: CorpusSource) -> Iterator[Document]:
    """Read comma-separated values."""
    return _read(source, ",")


def read_tsv(source: CorpusSource) -> Iterator[Document]:
    """Read tab-separated values."""
    return _read(source, "\t")


def write_csv(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write comma-separated values."""
    _write(documents, target, ",")


def write_tsv(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write tab-separated values."""
    _write(documents, target, "\t")


def _read(source: CorpusSource, delimiter: str) -> Iterator[Document]:
    rows = _rows(source, delimiter)
    _, place, header = next(rows, (0, source.name, []))
    header = [_checked(name, place).strip() for name in header]
    fields = source.columns.fields(header, place)
    if twice := [field for field in fields if field is not None and header.count(field) > 1]:
        raise DataError(f"{place}: two columns are named '{twice[0]}'")
    cells = [None if field is None else header.index(field) for field in fields]
    return source.documents(rows, lambda row: _document(source, row, cells, len(header)))


def _rows(source: CorpusSource, delimiter: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each row that is not blank: its number (the header is 0), its place, its cells.

    Strict, since an unclosed quote would otherwise silently swallow the rest of the file.
    """
    csv.field_size_limit(LARGEST)
    # a byte that is not UTF-8 becomes a lone surrogate, so that only its own row is bad
    lines = (line.decode("utf-8-sig" if number == 1 else "utf-8", "surrogateescape") for number, line in source.lines())
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    number = 0
    while True:
        first_line = reader.line_num + 1
        place = f"{source.name}:{first_line}"
        try:
            row = next(reader, None)
        except csv.Error as error:
            problem = DataError(f"{place}: {error}; is a quote left open, or not doubled inside a quoted cell?")
            if number == 0:
                raise problem from None
            source.pass_over(problem)
            number += 1
            continue
        if row is None:
            return
        if any(map(str.strip, row)):
            yield number, place, row
            number += 1


def _checked(cell: str, place: str) -> str:
    try:
        cell.encode("utf-8")
    except UnicodeEncodeError:
        name, _, line = place.rpartition(":")
        decode(cell.encode("utf-8", "surrogateescape"), name, int(line))
    return cell


def _document(source: CorpusSource, row: tuple[int, str, list[str]], fields: list[int | None], width: int) -> Document:
    number, place, cells = row
    if len(cells) != width:
        raise DataError(f"{place}: has {len(cells)} cells where the header has {width}")
    key, title, body, phrases = (None if field is None else _checked(cells[field], place) for field in fields)
    return with_text(
        Document(
            id=key or str(number),
            title=title or "",
            body=body or "",
            keyphrases=None if phrases is None else source.columns.split(phrases),
        ),
        place,
    )


def _write(documents: Iterable[Document], target: CorpusTarget, delimiter: str) -> None:
    with target.open() as out:
        # all quoted: csv does not quote a lone carriage return, which no reader accepts
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(HEADER)
        for document in documents:
            phrases = target.columns.join(document.keyphrases or (), document.id)
            writer.writerow((document.id, document.title, document.body, phrases))
