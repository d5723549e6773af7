"""Concepts of tables and lists: TSV and CSV with or without a header, and one label per line."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from keyseq.errors import DataError, shown
from keyseq.vocabularies.concept import (
    ALTERNATIVE,
    BROADER,
    HIDDEN,
    NARROWER,
    PREFERRED,
    RELATED,
    Concept,
    ConceptLabel,
)

LONGEST_LABEL = 300  # characters: what is longer is a text
COLUMNS = 3  # of a table without a header and without URIs: a label, other labels, related terms

_URI = re.compile(r"<[^<>\s]+>|[a-zA-Z][a-zA-Z0-9+.-]*:[^\s]*[^\s:]")
_SCHEMES = ("http:", "https:", "urn:", "info:", "doi:")
_SUFFIXED = re.compile(r"(.+?)[_@:. ]([a-z]{2,3}(?:-[a-z]+)?)")
_SEPARATORS = re.compile(r"[;|]")
_CSV = (",", ";", "\t")  # spreadsheets of many countries write CSV with semicolons

URI, NOTATION = "uri", "notation"
_NAMES: dict[str, tuple[str, ...]] = {
    URI: ("uri", "iri", "id", "identifier", "concept", "concepturi", "subject", "subjecturi"),
    "preferred": ("label", "preflabel", "preferred", "preferredlabel", "term", "name"),
    "alternative": ("altlabel", "altlabels", "alternative", "alternativelabels", "alternatives", "synonym", "synonyms"),
    "hidden": ("hiddenlabel", "hiddenlabels", "hidden"),
    "broader": ("broader", "parent", "parents"),
    "narrower": ("narrower", "children"),
    "related": ("related",),
    NOTATION: ("notation", "code"),
}
_KINDS = {"preferred": PREFERRED, "alternative": ALTERNATIVE, "hidden": HIDDEN}
_RELATIONS = {"broader": BROADER, "narrower": NARROWER, "related": RELATED}


class TermColumn(NamedTuple):
    """What a column holds: a key of `_NAMES`, and the language of its labels."""

    role: str
    language: str = ""


@dataclass(frozen=True)
class TermTable:
    """The rows of a table or list, with their line numbers."""

    name: str
    rows: Sequence[tuple[int, list[str]]]

    @classmethod
    def parse(cls, text: str, name: str, delimiter: str) -> "TermTable":
        """Cut a file into cells; quotes have a meaning in CSV alone, which may be separated by semicolons or tabs."""
        if delimiter == ",":
            reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
            try:
                cells = [(reader.line_num, row) for row in reader]
            except csv.Error as error:
                raise DataError(f"{name}:{reader.line_num}: broken CSV ({error})") from None
        else:
            cells = [(number, line.split("\t")) for number, line in enumerate(text.split("\n"), start=1)]
        stripped = [(number, [cell.strip() for cell in row]) for number, row in cells]
        return cls(name, [(number, row) for number, row in stripped if any(row)])

    def concepts(self) -> tuple[Iterator[Concept], list[str]]:
        """The concepts of the rows, and remarks on columns that are not read."""
        if not self.rows:
            raise DataError(f"{self.name}: holds no terms")
        header = _header(self.rows[0][1])
        if header is None:
            return map(self._plain, self.rows), []
        unread = [cell for cell, column in zip(self.rows[0][1], header, strict=True) if column is None and cell]
        remarks = [f"{self.name}: not read: the columns {shown(', '.join(unread))}"] if unread else []
        return (self._described(row, header) for row in self.rows[1:]), remarks

    def _described(self, numbered: tuple[int, list[str]], header: Sequence[TermColumn | None]) -> Concept:
        number, row = numbered
        place = f"{self.name}:{number}"
        if len(row) > len(header):
            raise DataError(f"{place}: has {len(row)} cells where the header has {len(header)}")
        cells = [(column, cell) for column, cell in zip(header, row, strict=False) if column is not None and cell]
        labels = [
            ConceptLabel(text, _KINDS[column.role], column.language)
            for column, cell in cells
            if column.role in _KINDS
            for text in ([cell] if column.role == "preferred" else _listed(cell))
        ]
        relations = [
            (_RELATIONS[column.role], _bare(target))
            for column, cell in cells
            if column.role in _RELATIONS
            for target in _listed(cell)
        ]
        uri = next((_bare(cell) for column, cell in cells if column.role == URI), "")
        return Concept(uri, self._checked(labels, place), tuple(relations), place)

    def _plain(self, numbered: tuple[int, list[str]]) -> Concept:
        """A row without a header: a URI and a label, or a label, other labels and related terms."""
        number, row = numbered
        place = f"{self.name}:{number}"
        first, *rest = row
        if is_uri(first):
            return Concept(_bare(first), self._checked([ConceptLabel(text) for text in rest[:1]], place), (), place)
        if not first or len(rest) >= COLUMNS:
            raise DataError(
                f"{place}: must be a URI and a label, or a label with, after tabs, alternative labels and related terms"
            )
        others, related = (_listed(cell) for cell in (*rest, "", "")[: COLUMNS - 1])
        labels = [ConceptLabel(first), *(ConceptLabel(text, ALTERNATIVE) for text in others)]
        return Concept("", self._checked(labels, place), tuple((RELATED, target) for target in related), place)

    def _checked(self, labels: Sequence[ConceptLabel], place: str) -> tuple[ConceptLabel, ...]:
        for label in labels:
            if len(label.text) > LONGEST_LABEL:
                raise DataError(
                    f"{place}: a label of {len(label.text):,} characters; it must have one label per line, not texts"
                )
        return tuple(labels)


def is_uri(cell: str) -> bool:
    """Whether a cell holds a URI: in angle brackets, or of a known scheme."""
    return _URI.fullmatch(cell) is not None and (cell.startswith("<") or cell.lower().startswith(_SCHEMES))


def _bare(cell: str) -> str:
    return cell[1:-1] if cell.startswith("<") and cell.endswith(">") else cell


def _listed(cell: str) -> list[str]:
    """The parts of a cell that holds several labels or URIs; URIs may be separated by spaces, too."""
    parts = [part.strip() for part in _SEPARATORS.split(cell) if part.strip()]
    return [one for part in parts for one in (part.split() if all(map(is_uri, part.split())) else [part])]


def _separator(text: str) -> str:
    """That of a CSV file: another than the comma if only with that one its first line is a header, or has a URI."""
    first = text.lstrip("\r\n").split("\n", 1)[0].strip()
    for separator in _CSV:
        cells = [cell.strip().strip('"') for cell in first.split(separator)]
        if _header(cells) or (len(cells) > 1 and is_uri(cells[0])):
            return separator
    return _CSV[0]


def _header(cells: Sequence[str]) -> list[TermColumn | None] | None:
    """What the columns of a header hold; None if the first row is not a header."""
    columns = [_column(cell) for cell in cells]
    known = {column.role for column in columns if column is not None}
    alone = len(cells) == 1 and cells[0].lower() in ("label", "preflabel")  # other names may be terms
    is_header = "preferred" in known and (alone or len(known) > 1) and not any(map(is_uri, cells))
    return columns if is_header else None


def _column(cell: str) -> TermColumn | None:
    lowered = cell.lower().strip()
    for name, language in ((lowered, ""), *((match[1], match[2]) for match in [_SUFFIXED.fullmatch(lowered)] if match)):
        plain = re.sub(r"[_\s-]", "", name)
        for role, names in _NAMES.items():
            if plain in names or plain.removeprefix("skos:") in names:
                return TermColumn(role, language)
    return None
