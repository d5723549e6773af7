"""Add uncontrolled index terms (653) to MARCXML records; all other text stays."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO
from xml.sax.saxutils import escape

from keyseq.data.formats.marc import KEYWORD, xml_document
from keyseq.data.formats.source import CorpusSource
from keyseq.data.formats.xml_trees import elements
from keyseq.data.tagging.tags import Tags
from keyseq.errors import DataError
from keyseq.types import Document

_END = re.compile(rb"((?:(?<![ \t])[ \t]+)?)</([\w.-]+:)?record\s*>")
_TERM = re.compile(
    rb"(?:(?<!\s)\s+)?<(?:[\w.-]+:)?datafield\b[^<>]*\btag=[\"']653[\"']"
    rb"(?:(?!<(?:[\w.-]+:)?datafield\b).)*?</(?:[\w.-]+:)?datafield\s*>",
    re.DOTALL,
)


def tag_marcxml(source: CorpusSource, tags: Tags, out: BinaryIO) -> None:
    """Write the records with their index terms, in the encoding of the file as far as it is like ASCII."""
    content = source.content()
    ends = list(_END.finditer(content))
    documents = _documents(source, content)
    if len(ends) != len(documents):
        raise DataError(f"{source.name}: records cannot be distinguished, so that nothing can be added")
    done = 0
    for end, document in zip(ends, documents, strict=True):
        new = tags.new_for(document) if document else []
        before = content[done : end.start()]
        out.write(_TERM.sub(b"", before) if new and tags.replaces else before)
        out.write(_terms(new, end) + end[0])
        done = end.end()
    out.write(content[done:])


def _documents(source: CorpusSource, content: bytes) -> list[Document | None]:
    found: list[Document | None] = []
    for number, record in enumerate(elements(content, source.name, "record"), start=1):
        found.append(None)
        with suppress(DataError):
            found[-1] = xml_document(source, number, record)
    return found


def _terms(phrases: Sequence[str], end: re.Match[bytes]) -> bytes:
    """The fields, each on a line of its own if the end of the record is; letters beyond ASCII as references."""
    prefix = (end[2] or b"").decode()
    is_alone = end.string[max(0, end.start() - 1) : end.start()] == b"\n"
    before, after = (f"{end[1].decode()}  ", "\n") if is_alone else ("", "")
    text = "".join(
        f'{before}<{prefix}datafield tag="{KEYWORD}" ind1=" " ind2=" "><{prefix}subfield code="a">{escape(phrase)}'
        f"</{prefix}subfield></{prefix}datafield>{after}"
        for phrase in phrases
    )
    return text.encode("ascii", "xmlcharrefreplace")
