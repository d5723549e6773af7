"""Add keywords to BibTeX and RIS libraries, leaving everything else unchanged."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from keyseq.data.formats import bibtex, ris
from keyseq.data.formats.source import CorpusSource
from keyseq.errors import DataError
from keyseq.files import bare_suffix

_BOM = b"\xef\xbb\xbf"


def annotate(source: Path, phrases: Iterable[Sequence[str]], out: IO[str]) -> None:
    """Write a library with the keyphrases of its documents added, in the order in which they are read.

    Existing keyphrases are not repeated. Entries that cannot be read as documents stay as they are
    and take no phrases. `out` must not translate line ends.
    """
    bib, refs = (bibtex.pieces, add_to_entry), (ris.pieces, add_to_reference)
    kinds = {".bib": bib, ".bibtex": bib, ".ris": refs}
    if bare_suffix(source) not in kinds:
        raise DataError(f"{source}: not a library; the name must end in {', '.join(kinds)}")
    pieces, add = kinds[bare_suffix(source)]
    library, remaining = CorpusSource(path=source), iter(phrases)
    with library.open() as file:
        if file.read(len(_BOM)) == _BOM:
            out.write(_BOM.decode())
    for text, document in pieces(library):
        new = _unknown(remaining, document.keyphrases or ()) if document else []
        out.write(add(text, new) if new else text)
    if next(remaining, None) is not None:
        raise ValueError("more lists of phrases than documents")


def _unknown(phrases: Iterator[Sequence[str]], known: Sequence[str]) -> list[str]:
    """The next document's phrases without existing ones, ignoring case."""
    candidates = next(phrases, None)
    if candidates is None:
        raise ValueError("fewer lists of phrases than documents")
    seen, unknown = {phrase.casefold() for phrase in known}, []
    for phrase in candidates:
        folded = " ".join(phrase.casefold().split())
        if folded and folded not in seen:
            seen.add(folded)
            unknown.append(phrase)
    return unknown


def add_to_reference(reference: str, phrases: Sequence[str]) -> str:
    """Add one KW line per phrase before the end of a RIS reference."""
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


def add_to_entry(entry: str, phrases: Sequence[str]) -> str:
    """Add keywords to a BibTeX entry: to its field, or in a new one formatted like the last."""
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
            return entry[: span.value] + _extended(field.value, phrases) + entry[span.end :]
    return _with_field(entry, spans, ", ".join(map(bibtex.as_keyword, phrases)))


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
