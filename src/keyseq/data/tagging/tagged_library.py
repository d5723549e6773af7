"""Add keywords to BibTeX and RIS libraries, leaving everything else unchanged."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import BinaryIO, NamedTuple

from keyseq.data.formats import bibtex, ris
from keyseq.data.formats.source import CorpusSource
from keyseq.data.tagging.recoding import recoded
from keyseq.data.tagging.tags import Tags
from keyseq.types import Document

_KEYWORD_LINES = re.compile(r"^KW  -[^\n]*\n(?:(?!\w\w  -)[^\n]*\n)*", re.MULTILINE)  # with lines that continue one


def tag_bibtex(source: CorpusSource, tags: Tags, out: BinaryIO) -> None:
    """Write a BibTeX library, in its own encoding, with keywords added to its entries."""
    _tag(source, tags, out, bibtex.pieces(source), add_to_entry)


def tag_ris(source: CorpusSource, tags: Tags, out: BinaryIO) -> None:
    """Write a RIS library, in its own encoding, with keywords added to its references."""
    _tag(source, tags, out, ris.pieces(source), add_to_reference)


def _tag(
    source: CorpusSource,
    tags: Tags,
    out: BinaryIO,
    pieces: Iterable[tuple[str, Document | None]],
    add: Callable[..., str],
) -> None:
    with recoded(source, out) as file:
        for text, document in pieces:
            new = tags.new_for(document) if document else []
            file.write(add(text, new, replace=tags.replaces) if new else text)


def add_to_reference(reference: str, phrases: Sequence[str], *, replace: bool = False) -> str:
    """Add one KW line per phrase before the end of a RIS reference, or put them in the place of those that it has."""
    if replace:
        reference = _KEYWORD_LINES.sub("", reference)
    end = reference.rindex(ris.END.decode())
    line_end = "\r\n" if "\r\n" in reference else "\n"
    lines = "".join(ris.as_line("KW", phrase) + line_end for phrase in phrases)
    return reference[:end] + lines + reference[end:]


class _Span(NamedTuple):
    """The offsets of a field in its entry."""

    name: int
    equals: int
    value: int
    end: int


def add_to_entry(entry: str, phrases: Sequence[str], *, replace: bool = False) -> str:
    """Add keywords to a BibTeX entry: to its field, in place of it, or in a new one formatted like the last."""
    fields = bibtex.parse_entry(entry).fields
    spans, at = [], entry.index(",") + 1
    for field in fields:
        name = entry.index(field.key, at)
        equals = entry.index("=", name + len(field.key))
        value = entry.index(field.value, equals + 1)
        at = value + len(field.value)
        spans.append(_Span(name, equals, value, at))
    for field, span in zip(fields, spans, strict=True):
        if field.key.lower() == "keywords":
            written = f"{{{_joined(phrases)}}}" if replace else _extended(field.value, phrases)
            return entry[: span.value] + written + entry[span.end :]
    return _with_field(entry, spans, _joined(phrases))


def _joined(phrases: Sequence[str]) -> str:
    return ", ".join(map(bibtex.as_keyword, phrases))


def _extended(value: str, phrases: Sequence[str]) -> str:
    """A field's value with added keywords, with its separator."""
    separator = bibtex.keyword_separator(value[1:-1]) + " "
    added = separator.join(map(bibtex.as_keyword, phrases))
    if len(bibtex.outside(value, "#", quotes=True)) > 1 or not value.startswith(("{", '"')):
        return f"{value} # {{{separator}{added}}}"
    if value.startswith('"'):
        added = added.replace('"', '{"}')
    content = value[:-1].rstrip()
    if content[1:].endswith(separator[0]):
        separator = " "
    return content + (separator if content[1:] else "") + added + value[len(content) :]


def _with_field(entry: str, spans: Sequence[_Span], keywords: str) -> str:
    """An entry with an added field, indented and aligned like its last one."""
    last = spans[-1]
    before = spans[-2].end if len(spans) > 1 else 0
    gap = entry[entry.index(",", before) + 1 : last.name]
    is_spaced = entry[last.equals - 1].isspace()
    name = "keywords".ljust(max(last.equals - last.name, len("keywords ")) if is_spaced else 0)
    field = f"{name}={entry[last.equals + 1 : last.value]}{{{keywords}}}"
    rest = entry[last.end :]
    if rest.lstrip().startswith(","):
        comma = last.end + rest.index(",") + 1
        return f"{entry[:comma]}{gap}{field},{entry[comma:]}"
    return f"{entry[: last.end]},{gap}{field}{rest}"
