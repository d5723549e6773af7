"""Add uncontrolled index terms (653) to MARC 21 records; all other fields stay byte for byte."""

import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from keyseq.data.formats.marc import KEYWORD, raw_records, record_document
from keyseq.data.formats.source import CorpusSource
from keyseq.data.tagging.tags import Tags
from keyseq.errors import DataError
from keyseq.imports import require
from keyseq.types import Document

LEADER, ENTRY = 24, 12  # bytes of the leader, and of an entry of the directory
FIELD_END, RECORD_END, SUBFIELD = b"\x1e", b"\x1d", b"\x1f"
_PLAIN = str.maketrans({"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"})
LONGEST_FIELD, LONGEST_RECORD = 9_999, 99_999  # bytes that a directory and a leader can state


class RawField(NamedTuple):
    """A field of a record: its tag, and its bytes with their end."""

    tag: bytes
    data: bytes


def tag_marc(source: CorpusSource, tags: Tags, out: BinaryIO) -> None:
    """Write the records with their index terms."""
    require("pymarc", "files")
    for number, raw in raw_records(source):
        document: Document | None = None
        with suppress(DataError):
            document = record_document(source, number, raw)
        new = tags.new_for(document) if document else []
        out.write(with_terms(raw, new, f"{source.name}: record {number}", replace=tags.replaces) if new else raw)


def with_terms(raw: bytes, phrases: Sequence[str], place: str, *, replace: bool = False) -> bytes:
    """A record with a field 653 for each phrase, in the order of the tags."""
    begin = len(raw) - len(raw.lstrip(b"\r\n\0 "))  # what may stand between two records
    leader = raw[begin : begin + LEADER]
    fields = _fields(raw[begin:], place)
    if replace:
        fields = [field for field in fields if field.tag != KEYWORD.encode()]
    data = (_term(phrase, is_utf8=leader[9:10] == b"a") for phrase in phrases)
    terms = [RawField(KEYWORD.encode(), one) for one in data if one is not None and len(one) <= LONGEST_FIELD]
    at = next((index for index, field in enumerate(fields) if field.tag > KEYWORD.encode()), len(fields))
    return raw[:begin] + _record(leader, [*fields[:at], *terms, *fields[at:]], place)


def _fields(record: bytes, place: str) -> list[RawField]:
    try:
        base = int(record[12:17])
        directory = record[LEADER : base - 1]
        entries = [directory[at : at + ENTRY] for at in range(0, len(directory), ENTRY)]
        spans = [(entry[:3], base + int(entry[7:12]), int(entry[3:7])) for entry in entries]
    except ValueError:
        raise DataError(f"{place}: has a directory that cannot be read, so that nothing can be added") from None
    return [RawField(tag, record[start : start + length]) for tag, start, length in spans]


def _term(phrase: str, *, is_utf8: bool) -> bytes | None:
    """The bytes of a field 653. In a record of MARC-8 letters lose their accents; None if that is not enough."""
    text = " ".join(phrase.split())
    if not is_utf8:
        parts = unicodedata.normalize("NFKD", text.translate(_PLAIN))
        text = "".join(letter for letter in parts if not unicodedata.combining(letter))
        if not text.isascii():
            return None
    return b"  " + SUBFIELD + b"a" + text.encode() + FIELD_END


def _record(leader: bytes, fields: Sequence[RawField], place: str) -> bytes:
    base = LEADER + ENTRY * len(fields) + 1
    directory, data = bytearray(), bytearray()
    for field in fields:
        directory += b"%s%04d%05d" % (field.tag, len(field.data), len(data))
        data += field.data
    length = base + len(data) + 1
    if length > LONGEST_RECORD:
        raise DataError(f"{place}: with its keyphrases it is longer than a MARC record can be; use --top, or MARCXML")
    return b"%05d%s%05d%s" % (length, leader[5:12], base, leader[17:]) + directory + FIELD_END + data + RECORD_END
