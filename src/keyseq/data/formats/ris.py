"""RIS libraries: title, abstract and keywords of each reference."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from keyseq.data.formats.encodings import decode
from keyseq.data.formats.publication_year import year_of
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.target import CorpusTarget
from keyseq.errors import DataError, shown
from keyseq.types import Document

if TYPE_CHECKING:
    from rispy import RisParser

BEGIN, END = b"TY  -", b"ER  -"
TITLES = ("title", "primary_title")  # TI, T1
ABSTRACTS = ("abstract", "notes_abstract")  # AB, N2
YEARS = ("year", "publication_year", "date")  # PY, Y1, DA

_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class _Reference:
    """Lines of a library: a reference from TY to ER, or a line between two references."""

    first_line: int
    number: int = 0  # of the reference, from 1
    lines: list[bytes] = field(default_factory=list)
    is_complete: bool = False

    def text(self, source: CorpusSource) -> str:
        return decode(b"".join(self.lines), source.name, self.first_line)


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the references in order."""
    references = (part for part in _parts(source) if part.number)
    return source.documents(references, lambda part: _document(source, part))


def pieces(source: CorpusSource) -> Iterator[tuple[str, Document | None]]:
    """Yield the text of the file in pieces, with the document of each reference that is one."""
    for part in _parts(source):
        document = None
        if part.number:
            with suppress(DataError):
                document = _document(source, part)
        yield part.text(source), document


def _parts(source: CorpusSource) -> Iterator[_Reference]:
    """Yield all lines of a library by references; other text is allowed."""
    reference, number, is_blank = None, 0, True
    for line_number, line in source.lines():
        is_blank = is_blank and line.isspace()
        if line.removeprefix(_BOM if line_number == 1 else b"").startswith(BEGIN):
            if reference:
                yield reference
            number += 1
            reference = _Reference(line_number, number)
        if reference is None:
            yield _Reference(line_number, lines=[line])
            continue
        reference.lines.append(line)
        if line.startswith(END):
            reference.is_complete = True
            yield reference
            reference = None
    if reference:
        yield reference
    if not number and not is_blank:
        raise DataError(f"{source.name}:1: holds no RIS reference, which begins with 'TY  - '")


@cache
def _parser() -> "RisParser":
    from rispy import RisParser

    return RisParser()


def _document(source: CorpusSource, part: _Reference) -> Document:
    place = f"{source.name}:{part.first_line}"
    if not part.is_complete:
        raise DataError(f"{place}: a reference without its end, 'ER  - '")
    [record] = _parser().parse_lines(iter(part.text(source).split("\n")))
    title, abstract = (next((record[tag] for tag in tags if record.get(tag)), "") for tags in (TITLES, ABSTRACTS))
    keywords = record.get("keywords")
    phrases = (phrase.strip() for keyword in keywords or () for phrase in keyword.split(";"))
    return with_text(
        Document(
            id=record.get("id") or str(part.number),
            title=title,
            body=abstract,
            keyphrases=None if keywords is None else tuple(filter(None, phrases)),
            year=year_of(*(record.get(tag) for tag in YEARS)),
        ),
        place,
    )


def as_line(tag: str, value: str) -> str:
    """A line of a reference, without the line break."""
    return f"{tag}  - {' '.join(value.split())}"


def write(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write one generic reference per document."""
    with target.open() as out:
        for document in documents:
            fields = [("TY", "GEN"), ("ID", document.id), ("TI", document.title), ("AB", document.body)]
            if document.keyphrases is not None:
                fields += [("KW", phrase) for phrase in document.keyphrases if _is_keyword(phrase, document.id)]
                fields += [("KW", "")] if fields[-1][0] != "KW" else []
            out.writelines(as_line(tag, value) + "\n" for tag, value in [*fields, ("ER", "")])
            out.write("\n")


def _is_keyword(phrase: str, id: str) -> bool:
    if ";" in phrase:
        raise DataError(f"document '{shown(id)}': '{shown(phrase)}' contains ';', the separator in RIS; write jsonl")
    return bool(phrase.strip())
