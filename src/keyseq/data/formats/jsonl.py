"""JSON lines: the layout of Meng et al., and that of midas on the Hugging Face hub."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeGuard

from keyseq.data.formats.columns import Columns
from keyseq.data.formats.csl_json import are_items, item_document
from keyseq.data.formats.encodings import decode
from keyseq.data.formats.exports import simplified
from keyseq.data.formats.json_file import JsonFile
from keyseq.data.formats.publication_year import year_of
from keyseq.data.formats.source import CorpusSource, limited, with_text
from keyseq.data.formats.target import CorpusTarget
from keyseq.errors import DataError
from keyseq.json_text import parse_json
from keyseq.types import Document

SUBJECTS = "subjects"
_BOM = b"\xef\xbb\xbf"
_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}


def read(source: CorpusSource) -> Iterator[Document]:
    """Read either layout: a record whose `document` is a list is midas's.

    A file that is one list or one object over many lines is read whole; its items may be those of CSL-JSON.
    """
    lines = _records(source)
    first = next(lines, None)
    if first is None:
        return iter(())
    if is_whole(first[1]):
        return _read_whole(source, [first[1], *(line for _, line in lines)])
    return source.documents(chain([first], lines), lambda record: _document(source, *record))


def is_whole(first: bytes) -> bool:
    """Whether a first line is the beginning of one value, not a record of its own."""
    begin = first.removeprefix(_BOM).strip()
    return begin == b"{" or begin.startswith((b"[", b'{"meta"'))  # the latter is an answer of OpenAlex


def _read_whole(source: CorpusSource, lines: list[bytes]) -> Iterator[Document]:
    file = JsonFile.of(decode(limited(b"".join(lines), source.name), source.name), source.name)
    records = enumerate(file.records, start=1)
    if are_items(file.records):
        return source.documents(records, lambda one: item_document(one[1], one[0], source.name))
    return source.documents(records, lambda one: _listed(source, *one))


def _listed(source: CorpusSource, number: int, record: object) -> Document:
    place = f"{source.name}: record {number}"
    if not isinstance(record, dict):
        raise DataError(f"{place}: must be a JSON object, not {_kind(record)}")
    return record_document(record, number, place, source.columns)


def read_midas(source: CorpusSource) -> Iterator[Document]:
    """Read `document` (words), `extractive_keyphrases` and `abstractive_keyphrases`."""
    return source.documents(_records(source), lambda record: _midas(source, *record))


def _records(source: CorpusSource) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in source.lines() if not line.isspace())


def _parse(source: CorpusSource, number: int, line: bytes) -> tuple[dict[str, Any], str]:
    """The object of a line, and its place for messages."""
    place = f"{source.name}:{number}"
    record = parse_json(decode(line, source.name, number), place, record=True)
    if not isinstance(record, dict):
        raise DataError(f"{place}: must be a JSON object, not {_kind(record)}")
    return record, place


def _document(source: CorpusSource, number: int, line: bytes) -> Document:
    record, place = _parse(source, number, line)
    return record_document(record, number, place, source.columns)


def record_document(record: Mapping[str, Any], number: int, place: str, columns: Columns) -> Document:
    """The document of a record in either layout; `place` is for messages."""
    record = simplified(record)
    if isinstance(record.get("document"), list):
        return _words_document(record, number, place)
    fields = columns.fields(record, place)
    key, title, body, phrases = (None if field is None else record[field] for field in fields)
    subjects, labels = _subjects(record.get(SUBJECTS), place)
    return with_text(
        Document(
            id=_id(key, number, place),
            title=_text(title, fields.title, place),
            body=_text(body, fields.text, place),
            keyphrases=labels if phrases is None else _keyphrases(phrases, fields.keyphrases, columns, place),
            subjects=subjects,
            year=year_of(record.get("year")),
        ),
        place,
    )


def _midas(source: CorpusSource, number: int, line: bytes) -> Document:
    record, place = _parse(source, number, line)
    if not isinstance(record.get("document"), list):
        raise DataError(f"{place}: 'document' must be a list of words, not {_kind(record.get('document'))}")
    return _words_document(record, number, place)


def _words_document(record: Mapping[str, Any], number: int, place: str) -> Document:
    words = _list(record["document"], "document", place)
    present, absent = (
        None if record.get(field) is None else _list(record[field], field, place)
        for field in ("extractive_keyphrases", "abstractive_keyphrases")
    )
    known = present is not None or absent is not None
    return with_text(
        Document(
            id=_id(record.get("id"), number, place),
            body=" ".join(words),
            keyphrases=(*(present or ()), *(absent or ())) if known else None,
        ),
        place,
    )


def _id(value: object, number: int, place: str) -> str:
    if value is None or value == "":
        return str(number)
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise DataError(f"{place}: an id must be a text or a whole number, not {_kind(value)}")


def _text(value: object, field: str | None, place: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DataError(f"{place}: '{field}' must be a text, not {_kind(value)}")
    return value


def _keyphrases(value: object, field: str | None, columns: Columns, place: str) -> tuple[str, ...] | None:
    """A list is kept as it is, with empty phrases, which the published statistics count."""
    if value is None:
        return None
    if isinstance(value, str):
        return columns.split(value)
    if _is_list_of_texts(value):
        return tuple(value)
    raise DataError(f"{place}: '{field}' must be a list of texts or one text separated by '{columns.separator}'")


def _subjects(value: object, place: str) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """URIs, and labels where all are known: a list of URIs, or of objects with `uri` and `label`, as Annif has them."""
    if value is None:
        return None, None
    if _is_list_of_texts(value):
        return tuple(value), None
    if not isinstance(value, list) or not all(isinstance(one, dict) and {"uri", "label"} & set(one) for one in value):
        raise DataError(f"{place}: '{SUBJECTS}' must be a list of URIs, or of objects with 'uri' and 'label'")
    uris, labels = (_list([one.get(part) or "" for one in value], SUBJECTS, place) for part in ("uri", "label"))
    return tuple(uris) if all(uris) else None, tuple(labels) if all(labels) else None


def _list(value: object, field: str, place: str) -> list[str]:
    if _is_list_of_texts(value):
        return value
    raise DataError(f"{place}: '{field}' must be a list of texts, not {_kind(value)}")


def _is_list_of_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and {str}.issuperset(map(type, value))


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")


def write(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write `id`, `title`, `abstract` and, where they are known, `keywords`, `subjects` and `year`."""
    with target.open() as out:
        for document in documents:
            record: dict[str, Any] = {"id": document.id, "title": document.title, "abstract": document.body}
            if document.keyphrases is not None:
                record["keywords"] = document.keyphrases
            if document.subjects is not None:
                record[SUBJECTS] = document.subjects
            if document.year is not None:
                record["year"] = document.year
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def write_midas(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write the text's words, split at white space, and the keyphrases by presence in the text."""
    from keyseq.text.presence import StemmedText, phrase_stems

    with target.open() as out:
        for document in documents:
            record: dict[str, Any] = {"id": document.id, "document": document.text.split()}
            if document.keyphrases is not None:
                text = StemmedText.of(document.text)
                present = [phrase_stems(phrase) in text for phrase in document.keyphrases]
                for field, wanted in (("extractive_keyphrases", True), ("abstractive_keyphrases", False)):
                    pairs = zip(document.keyphrases, present, strict=True)
                    record[field] = [phrase for phrase, is_present in pairs if is_present is wanted]
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
