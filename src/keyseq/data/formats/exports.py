"""Exports of reference managers and databases, recognised by their columns."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from keyseq.data.formats.columns import Columns, Fields


class Export(NamedTuple):
    """A kind of export: the columns that identify it, and those to read."""

    name: str
    marks: frozenset[str]
    columns: Columns


def _export(name: str, marks: str, columns: Columns) -> Export:
    return Export(name, frozenset(mark.strip().lower() for mark in marks.split(",")), columns)


EXPORTS = (
    _export(
        "Zotero",
        "Key, Item Type, Abstract Note",
        Columns(id="Key", title="Title", text="Abstract Note", keyphrases="Manual Tags"),
    ),
    _export(
        "Scopus",
        "EID, Source title",
        Columns(id="EID", title="Title", text="Abstract", keyphrases="Author Keywords"),
    ),
    _export(
        "Web of Science",
        "UT (Unique WOS ID), Article Title",
        Columns(id="UT (Unique WOS ID)", title="Article Title", text="Abstract", keyphrases="Author Keywords"),
    ),
    _export(
        "Web of Science",
        "PT, AU, TI, SO, UT",
        Columns(id="UT", title="TI", text="AB", keyphrases="DE"),
    ),
    _export(
        "PubMed",
        "PMID, Title, Journal/Book",
        Columns(id="PMID", title="Title", text="Abstract", keyphrases="Keywords"),
    ),
    _export(
        "OpenAlex",
        "id, authorships.author.display_name",
        Columns(id="id", title="display_name", text="abstract", keyphrases="keywords.display_name", separator="|"),
    ),
)


def adapted(columns: Columns, names: Iterable[str]) -> tuple[Columns, str]:
    """The columns to read of a table with these names, and the name of the export that it is, if it is one.

    What the user names comes first; a column that an export can have but this one lacks is left to the usual names.
    """
    lowered = {name.lower() for name in names}
    export = next((one for one in EXPORTS if one.marks <= lowered), None)
    if export is None:
        return columns, ""
    known = {role: getattr(export.columns, role) for role in Fields._fields}
    taken = {role: name for role, name in known.items() if getattr(columns, role) is None and name.lower() in lowered}
    separator = export.columns.separator if columns.separator == Columns().separator else columns.separator
    return replace(columns, separator=separator, **taken), export.name


def columns_told(fields: Fields, names: Iterable[str], export: str) -> str:
    """Which columns of a table are read, if there are others beside them or it is a known export; else nothing."""
    read = {role: name for role, name in zip(Fields._fields, fields, strict=True) if name is not None}
    if not export and set(read.values()) == {name for name in names if name}:
        return ""
    told = ", ".join(f"{role} from '{name}'" for role, name in read.items())
    return f"read as an export of {export}: {told}" if export else told


def simplified(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record of OpenAlex by the usual names, its abstract put together; any other record as it is."""
    index = record.get("abstract_inverted_index")
    if not (isinstance(index, dict) or str(record.get("id", "")).startswith("https://openalex.org/W")):
        return record
    keywords = record.get("keywords") if isinstance(record.get("keywords"), list) else ()
    phrases = [one.get("display_name") for one in keywords or () if isinstance(one, dict)]
    return {
        "id": record.get("id"),
        "title": record.get("display_name") or record.get("title") or "",
        "abstract": _abstract(index) if isinstance(index, dict) else record.get("abstract") or "",
        **({"keywords": [phrase for phrase in phrases if isinstance(phrase, str)]} if phrases else {}),
    }


def _abstract(index: Mapping[str, Any]) -> str:
    """The text of an index of words and their places."""
    placed = [
        (place, word)
        for word, places in index.items()
        if isinstance(places, list)
        for place in places
        if isinstance(place, int)
    ]
    return " ".join(word for _, word in sorted(placed))
