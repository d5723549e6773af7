"""MARC, the records of library catalogues: MARC 21 and MARCXML."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.xml_trees import elements, inside
from keyseq.errors import DataError
from keyseq.imports import require
from keyseq.types import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from pymarc import Record

CONTROL, TITLE, KEYWORD = "001", "245", "653"
TITLE_PARTS = "abnp"  # title, rest of it, number and name of a part
TEXTS = ("520", "505")  # summary, contents
SUBJECTS = (KEYWORD, "650")  # uncontrolled index terms, topical subject headings
ROOTS = ("collection", "record")
_END = b"\x1d"
_MARKS = " /:;,.="  # cataloguing punctuation at the end of a part
_SPACED = re.compile(r"(?<!\s)\s+([:;,.])(?=\s|$)")


class Field(NamedTuple):
    """A field of a record: its tag, and its subfields, or its data if it has none."""

    tag: str
    subfields: list[tuple[str, str]]
    data: str = ""

    def text(self, codes: str) -> str:
        """The subfields of these codes, joined; spaces before the marks between them are left out."""
        joined = " ".join(" ".join(value.split()) for code, value in self.subfields if code in codes)
        return _SPACED.sub(r"\1", joined)


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the records of a MARC 21 file."""
    require("pymarc", "files")
    return source.documents(raw_records(source), lambda one: record_document(source, *one))


def raw_records(source: CorpusSource) -> Iterator[tuple[int, bytes]]:
    """The bytes of each record with its number, from its leader to its end, as they are."""
    content = source.content()
    number, begin = 0, 0
    while content[begin:].strip(b"\r\n\0 \x1a"):
        end = content.find(_END, begin)
        number += 1
        if end < 0:
            raise DataError(f"{source.name}: record {number} has no end: the file is truncated, or is not MARC 21")
        yield number, content[begin : end + 1]
        begin = end + 1


def record_document(source: CorpusSource, number: int, raw: bytes) -> Document:
    """The document of a record of MARC 21."""
    import pymarc

    place = f"{source.name}: record {number}"
    try:
        reader = pymarc.MARCReader(raw.lstrip(b"\r\n\0 "), to_unicode=True, utf8_handling="replace")
        record: Record | None = next(iter(reader), None)
    except Exception as error:  # a damaged record can raise anything
        raise DataError(f"{place}: cannot be read ({_reason(error)})") from None
    if record is None:
        raise DataError(f"{place}: cannot be read ({_reason(reader.current_exception)})")
    fields = [
        Field(field.tag, [(part.code, part.value) for part in getattr(field, "subfields", ())], field.data or "")
        for field in record.fields
    ]
    return fields_document(fields, number, place)


def _reason(error: BaseException | None) -> str:
    return " ".join(str(error or "not MARC 21").split())


def read_xml(source: CorpusSource) -> Iterator[Document]:
    """Read the records of a MARCXML file."""
    records = enumerate(elements(source.content(), source.name, "record"), start=1)
    return source.documents(records, lambda one: xml_document(source, *one))


def xml_document(source: CorpusSource, number: int, record: "Element") -> Document:
    """The document of a record of MARCXML."""
    controls = [Field(one.get("tag", ""), [], one.text or "") for one in inside(record, "controlfield")]
    fields = [
        Field(one.get("tag", ""), [(part.get("code", ""), part.text or "") for part in inside(one, "subfield")])
        for one in inside(record, "datafield")
    ]
    return fields_document([*controls, *fields], number, f"{source.name}: record {number}")


def fields_document(fields: list[Field], number: int, place: str) -> Document:
    """The document of a record: its control number, title, summary and contents, and its subjects."""
    subjects = [field for tag in SUBJECTS for field in fields if field.tag == tag]
    phrases = (value.strip().rstrip(_MARKS) for field in subjects for code, value in field.subfields if code == "a")
    return with_text(
        Document(
            id=next((field.data.strip() for field in fields if field.tag == CONTROL), "") or str(number),
            title=next((field.text(TITLE_PARTS).rstrip(_MARKS) for field in fields if field.tag == TITLE), ""),
            body="\n\n".join(field.text("abtg") for tag in TEXTS for field in fields if field.tag == tag),
            keyphrases=tuple(dict.fromkeys(filter(None, phrases))) if subjects else None,
        ),
        place,
    )
