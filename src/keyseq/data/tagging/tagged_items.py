"""Add keywords to the items of a CSL-JSON file, as Zotero, Mendeley and pandoc read them."""

import json
import re
from contextlib import suppress
from typing import Any, BinaryIO

from keyseq.data.formats.csl_json import item_document
from keyseq.data.formats.json_file import JsonFile
from keyseq.data.formats.source import CorpusSource
from keyseq.data.tagging.recoding import recoded
from keyseq.data.tagging.tags import Tags
from keyseq.errors import DataError

KEYWORD = "keyword"
_INDENT = re.compile(r"[\[{]\s*\n([ \t]+)")


def tag_items(source: CorpusSource, tags: Tags, out: BinaryIO) -> None:
    """Write the items with their keywords; all other fields and their order stay."""
    text = source.text()
    file = JsonFile.of(text, source.name)
    for number, item in enumerate(file.records, start=1):
        with suppress(DataError):
            document = item_document(item, number, source.name)
            _add(item, tags.new_for(document), replace=tags.replaces)
    indent = _INDENT.search(text)
    with recoded(source, out) as written:
        json.dump(file.value, written, ensure_ascii=False, indent=indent[1] if indent else None)
        written.write(text[len(text.rstrip()) :])


def _add(item: dict[str, Any], phrases: list[str], *, replace: bool) -> None:
    before = item.get(KEYWORD)
    known = [] if replace or not isinstance(before, str) or not before.strip() else [before.rstrip(" ,;")]
    if phrases:
        separator = "; " if any("," in phrase for phrase in phrases) or ";" in "".join(known) else ", "
        item[KEYWORD] = separator.join([*known, *phrases])
