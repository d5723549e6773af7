"""BibTeX libraries: title, abstract and keywords of each entry."""

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from keyseq.data.formats.format import UNFIT_KEY
from keyseq.data.formats.latex import to_latex, to_text
from keyseq.data.formats.publication_year import year_of
from keyseq.data.formats.source import LARGEST, CorpusSource, with_text
from keyseq.data.formats.target import CorpusTarget
from keyseq.errors import DataError, shown
from keyseq.types import Document

if TYPE_CHECKING:
    from bibtexparser.model import Block, Entry

FIELDS = ("title", "abstract", "keywords")

_MARK = re.compile(r'(?<!\\)[{}"]|[#,;]')
_ENCLOSED = re.compile(r'\{.*\}|".*"', re.DOTALL)


class _Found(NamedTuple):
    """An entry, or text that cannot be parsed as one: its number from 1, and its start."""

    number: int
    begin: int
    block: "Block"


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the entries in order. The file is parsed whole, since abbreviations may be defined anywhere."""
    library = _Library(source)
    return source.documents(library.entries, library.document)


def pieces(source: CorpusSource) -> Iterator[tuple[str, Document | None]]:
    """Yield the text of the file in pieces, with the document of each entry that is one."""
    library, done = _Library(source), 0
    for found in library.entries:
        with suppress(DataError):
            document = library.document(found)
            end = found.begin + len(found.block.raw or "")
            yield library.text[done : found.begin], None
            yield library.text[found.begin : end], document
            done = end
    yield library.text[done:], None


def parse_entry(text: str) -> "Entry":
    """Parse one entry that is known to be well-formed."""
    [block] = _blocks(text)
    return _entry(block, "")


def _blocks(text: str) -> "list[Block]":
    from bibtexparser.entrypoint import parse_string

    _silence()
    return parse_string(text, parse_stack=[]).blocks


@cache
def _silence() -> None:
    """Silence the parser's log: unparsable text is returned as a block."""
    logging.getLogger("bibtexparser").addHandler(logging.NullHandler())


class _Library:
    """The blocks of a BibTeX file, and the documents of its entries."""

    def __init__(self, source: CorpusSource) -> None:
        from bibtexparser.model import Entry, ParsingFailedBlock, String

        self._name, self.text = source.name, source.text()
        self.entries: list[_Found] = []
        self._strings: dict[str, str] = {}
        at = 0
        for block in _blocks(self.text):
            inner = block.ignore_error_block if isinstance(block, ParsingFailedBlock) else block
            begin = self.text.index(block.raw or "", at)
            at = begin + (1 if inner is None else len(block.raw or ""))  # a broken one may reach into the next
            if isinstance(inner, String):
                with suppress(DataError):  # reported where it is used
                    self._strings[inner.key.lower()] = self._value(inner.value, self._place(block))
            elif isinstance(block, Entry | ParsingFailedBlock):
                self.entries.append(_Found(len(self.entries) + 1, begin, block))
        if not self.entries and self.text.strip():
            raise DataError(f"{self._name}:1: holds no BibTeX entry, such as @article{{…}}")

    def document(self, found: _Found) -> Document:
        """The document of an entry."""
        place = self._place(found.block)
        entry = _entry(found.block, place)
        values: dict[str, str] = {}
        years: dict[str, str] = {}
        for field in entry.fields:
            name = field.key.lower()
            if name in values:
                raise DataError(f"{place}: has more than one field '{name}'")
            if name in FIELDS:
                values[name] = self._value(field.value, place)
            elif name in ("year", "date"):  # whatever else it says: a year is not worth an error
                years[name] = field.value
        document = Document(
            id=entry.key or str(found.number),
            title=to_text(values.get("title", "")),
            body=to_text(values.get("abstract", "")),
            keyphrases=split_keywords(values["keywords"]) if "keywords" in values else None,
            year=year_of(years.get("year"), years.get("date")),
        )
        return with_text(document, place)

    def _place(self, block: "Block") -> str:
        return f"{self._name}:{(block.start_line or 0) + 1}"

    def _value(self, value: str, place: str) -> str:
        """The value of a field: texts in braces or quotes, numbers and abbreviations, joined by "#"."""
        pieces = []
        for piece in outside(value, "#", quotes=True):
            if _ENCLOSED.fullmatch(piece):
                pieces.append(piece[1:-1])
            elif piece.isdigit():
                pieces.append(piece)
            elif piece.lower() in self._strings:
                pieces.append(self._strings[piece.lower()])
            else:
                raise DataError(f"{place}: '{shown(piece)}' is neither in braces or quotes nor the name of a @string")
        if sum(map(len, pieces)) > LARGEST:
            raise DataError(f"{place}: a field of over {LARGEST >> 20} MiB once its abbreviations are expanded")
        return "".join(pieces)


def _entry(block: "Block", place: str) -> "Entry":
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry

    # a duplicate field matters only if we read it, which the caller checks
    inner = block.ignore_error_block if isinstance(block, DuplicateFieldKeyBlock) else block
    if isinstance(inner, Entry):
        return inner
    if isinstance(block, DuplicateBlockKeyBlock):
        first = (block.previous_block.start_line or 0) + 1
        raise DataError(f"{place}: the key '{shown(block.key)}' is already used by the entry in line {first}")
    error = getattr(block, "error", None)
    reason = " ".join(str(getattr(error, "abort_reason", error)).split())
    raise DataError(f"{place}: an entry that cannot be parsed ({reason.rstrip('.')})")


def outside(value: str, separator: str, *, quotes: bool = False) -> list[str]:
    """Split a value at separators outside of braces (and quotes)."""
    pieces, start, depth, quoted = [], 0, 0, False
    for mark in _MARK.finditer(value):
        if mark[0] in "{}":
            depth += 1 if mark[0] == "{" else -1
        elif depth <= 0 and mark[0] == '"' and quotes:
            quoted = not quoted
        elif depth <= 0 and mark[0] == separator and not quoted:
            pieces.append(value[start : mark.start()].strip())
            start = mark.end()
    return [*pieces, value[start:].strip()]


def keyword_separator(keywords: str) -> str:
    """The separator of a field's keywords: semicolons if there are any outside of braces, otherwise commas."""
    return ";" if len(outside(keywords, ";")) > 1 else ","


def split_keywords(keywords: str) -> tuple[str, ...]:
    """The keyphrases of a field."""
    pieces = map(to_text, outside(keywords, keyword_separator(keywords)))
    return tuple(filter(None, pieces))


def as_keyword(phrase: str) -> str:
    """A keyphrase for a field: in braces if it contains a comma or semicolon."""
    latex = _field(phrase)
    return f"{{{latex}}}" if "," in latex or ";" in latex else latex


def _field(text: str) -> str:
    return to_latex(" ".join(text.split()))


def write(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write one `@misc` entry per document."""
    with target.open() as out:
        for document in documents:
            key = UNFIT_KEY.sub(lambda unfit: quote(unfit[0], safe=""), document.id)
            fields = {"title": _field(document.title), "abstract": _field(document.body)}
            if document.keyphrases is not None:
                fields["keywords"] = ", ".join(map(as_keyword, filter(str.strip, document.keyphrases)))
            lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
            out.write(f"@misc{{{key},\n{lines}}}\n\n")
