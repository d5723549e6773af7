"""Records of tagged lines, as PubMed (.nbib) and Web of Science export them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from keyseq.data.formats.columns import split_list
from keyseq.data.formats.encodings import decode
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.errors import DataError
from keyseq.types import Document


class FieldTags(NamedTuple):
    """How a kind of export writes its lines: its pattern of a tag, and the tags that are read."""

    name: str
    line: re.Pattern[str]
    begin: str
    id: str
    titles: tuple[str, ...]
    abstract: str
    keywords: str


PUBMED = FieldTags("PubMed", re.compile(r"([A-Z]{2,4}) {0,2}- ?(.*)"), "PMID", "PMID", ("TI", "BTI"), "AB", "OT")
WOS = FieldTags("Web of Science", re.compile(r"([A-Z][A-Z0-9])(?: (.*)|$)"), "PT", "UT", ("TI",), "AB", "DE")


@dataclass(slots=True)
class _Record:
    """The values of the tags of a record."""

    first_line: int
    number: int
    values: dict[str, list[str]] = field(default_factory=dict)

    def text(self, tag: str) -> str:
        return " ".join(" ".join(self.values.get(tag, ())).split())


def read_pubmed(source: CorpusSource) -> Iterator[Document]:
    """Read the citations of a file of PubMed."""
    return _read(source, PUBMED)


def read_wos(source: CorpusSource) -> Iterator[Document]:
    """Read the records of a file of Web of Science."""
    return _read(source, WOS)


def _read(source: CorpusSource, tags: FieldTags) -> Iterator[Document]:
    return source.documents(_records(source, tags), lambda record: _document(source, record, tags))


def _records(source: CorpusSource, tags: FieldTags) -> Iterator[_Record]:
    record, tag, number, is_blank = None, "", 0, True
    for line_number, line in source.lines():
        text = decode(line, source.name, line_number).rstrip("\r\n")
        is_blank = is_blank and not text.strip()
        found = tags.line.fullmatch(text)
        if found and found[1] == tags.begin:
            if record:
                yield record
            number += 1
            record = _Record(line_number, number)
        if record is None or not text.strip():
            continue
        if found:
            tag = found[1]
            record.values.setdefault(tag, []).append(found[2] or "")
        elif tag and text.startswith(" "):  # a value that goes on
            record.values[tag][-1] += f" {text.strip()}"
    if record:
        yield record
    elif not is_blank:
        raise DataError(f"{source.name}:1: holds no record of {tags.name}, which begins with '{tags.begin}'")


def _document(source: CorpusSource, record: _Record, tags: FieldTags) -> Document:
    phrases = (phrase for value in record.values.get(tags.keywords, ()) for phrase in _phrases(value, tags))
    return with_text(
        Document(
            id=record.text(tags.id) or str(record.number),
            title=next(filter(None, map(record.text, tags.titles)), ""),
            body=record.text(tags.abstract),
            keyphrases=tuple(phrases) if tags.keywords in record.values else None,
        ),
        f"{source.name}:{record.first_line}",
    )


def _phrases(value: str, tags: FieldTags) -> tuple[str, ...]:
    """The phrases of a value: PubMed has a line for each, Web of Science a list."""
    return (" ".join(value.split()),) if tags is PUBMED else split_list(value)
