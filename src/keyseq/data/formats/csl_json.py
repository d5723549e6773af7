"""CSL-JSON, the items of Zotero, Mendeley and pandoc: title, abstract and keywords of each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any

from keyseq.data.formats.columns import split_list
from keyseq.data.formats.json_file import JsonFile
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.errors import DataError
from keyseq.types import Document

_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>")  # italics of species, paragraphs of abstracts


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the items of a list in order."""
    file = JsonFile.of(source.text(), source.name)
    return source.documents(enumerate(file.records, start=1), lambda one: item_document(one[1], one[0], source.name))


def are_items(records: Sequence[object]) -> bool:
    """Whether records are items of CSL; the first ones may be a note and a page without author and date."""
    return any(map(_is_item, records[:10]))


def _is_item(record: object) -> bool:
    """Whether a record is an item of CSL: it has a type, and what only such items have."""
    if not isinstance(record, dict) or not isinstance(record.get("type"), str):
        return False
    has_author, has_date = isinstance(record.get("author"), list), isinstance(record.get("issued"), dict)
    return has_author or has_date or "container-title" in record


def item_document(item: object, number: int, name: str) -> Document:
    """The document of an item."""
    place = f"{name}: item {number}"
    if not isinstance(item, dict):
        raise DataError(f"{place}: must be a JSON object")
    keywords = item.get("keyword")
    return with_text(
        Document(
            id=_text(item, "id") or str(number),
            title=_plain(_text(item, "title")),
            body=_plain(_text(item, "abstract")),
            keyphrases=split_list(keywords) if isinstance(keywords, str) else None,
        ),
        place,
    )


def _text(item: Mapping[str, Any], field: str) -> str:
    value = item.get(field)
    if isinstance(value, list):  # as Crossref has titles
        value = next(iter(value), "")
    return str(value) if isinstance(value, str | int) else ""


def _plain(text: str) -> str:
    return " ".join(unescape(_MARKUP.sub("", text)).split()) if "<" in text or "&" in text else text
