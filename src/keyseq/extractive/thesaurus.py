"""A controlled vocabulary: terms, the other labels that texts have for them, and which terms belong together.

The file has a term a line. Behind it, after a tab, there may be other labels, and after a second tab related terms;
several are separated by semicolons:

    automobiles<TAB>cars; motor cars<TAB>traffic; engines
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from keyseq.errors import DataError, nearest, shown
from keyseq.extractive.candidates import Stems
from keyseq.files import open_binary, write_whole
from keyseq.text.analyzer import Analyzer
from keyseq.text.presence import SourceText, phrase_stems

COLUMNS = 3


class Index(NamedTuple):
    """The numbers of terms by the stems of their labels, and how long labels are."""

    terms: dict[Stems, int]
    lengths: list[int]


@dataclass(frozen=True)
class Term:
    """A term of a vocabulary; `related` are the numbers of other terms."""

    name: str
    others: tuple[str, ...] = ()
    related: tuple[int, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """All that texts may call it."""
        return (self.name, *self.others)


@dataclass(frozen=True)
class Thesaurus:
    """The terms of a vocabulary, by number."""

    terms: tuple[Term, ...]

    @classmethod
    def load(cls, path: Path) -> "Thesaurus":
        """Read a vocabulary, one term a line."""
        rows = list(_rows(path))
        if not rows:
            raise DataError(f"{path}: holds no terms")
        numbers = {row.name: number for number, row in enumerate(rows)}
        return cls(tuple(Term(row.name, row.others, _numbers(path, row, numbers)) for row in rows))

    def save(self, path: Path) -> None:
        """Write the vocabulary so that `load` reads it."""
        with write_whole(path) as file:
            for term in self.terms:
                related = (self.terms[number].name for number in term.related)
                file.write("\t".join((term.name, "; ".join(term.others), "; ".join(related))).rstrip("\t") + "\n")

    def find(self, source: SourceText) -> dict[int, list[int]]:
        """The terms that a text has a label of, by number, in the order of the text, with the places of their words."""
        index = self._index(source.analyzer)
        places: dict[int, list[int]] = {}
        for place in range(len(source.stems)):
            for length in index.lengths:
                term = index.terms.get(tuple(source.stems[place : place + length]))
                if term is not None and places.get(term, [-1])[-1] != place:
                    places.setdefault(term, []).append(place)
        return places

    def stems(self, number: int, analyzer: Analyzer) -> list[Stems]:
        """The different stems of a term's labels, its name first."""
        return list(dict.fromkeys(tuple(phrase_stems(label, analyzer)) for label in self.terms[number].labels))

    def degree(self, number: int, found: Collection[int]) -> int:
        """How many of some terms are related to a term."""
        return sum(other in found for other in self._neighbours[number])

    @cached_property
    def _indexes(self) -> dict[Analyzer, Index]:
        return {}

    def _index(self, analyzer: Analyzer) -> Index:
        if analyzer not in self._indexes:
            self._indexes[analyzer] = self._indexed(analyzer)
        return self._indexes[analyzer]

    def _indexed(self, analyzer: Analyzer) -> Index:
        """Where two terms share a label, it is that of the first, and of one whose name it is before all."""
        labels = [self.stems(number, analyzer) for number in range(len(self.terms))]
        terms: dict[Stems, int] = {}
        for first, last in ((0, 1), (1, None)):
            for number, stems in enumerate(labels):
                for label in filter(None, stems[first:last]):
                    terms.setdefault(label, number)
        return Index(terms, sorted({len(label) for label in terms}))

    @cached_property
    def _neighbours(self) -> list[set[int]]:
        """Of each term all that are related to it, whichever of the two says so."""
        near: list[set[int]] = [set() for _ in self.terms]
        for number, term in enumerate(self.terms):
            for other in term.related:
                near[number].add(other)
                near[other].add(number)
        return near


class _Row(NamedTuple):
    """A line of the file."""

    line: int
    name: str
    others: tuple[str, ...]
    related: tuple[str, ...]


def _rows(path: Path) -> Iterator[_Row]:
    with open_binary(path) as file:
        try:
            lines = file.read().decode("utf-8").splitlines()
        except UnicodeDecodeError:
            raise DataError(f"{path}: not a vocabulary: it must be UTF-8 text, one term a line") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        name, *columns = line.split("\t")
        if not name.strip() or len(columns) >= COLUMNS:
            raise DataError(f"{path}:{number}: must be a term, and after tabs at most other labels and related terms")
        others, related = (_listed(column) for column in (*columns, "", "")[: COLUMNS - 1])
        yield _Row(number, name.strip(), others, related)


def _listed(column: str) -> tuple[str, ...]:
    return tuple(label.strip() for label in column.split(";") if label.strip())


def _numbers(path: Path, row: _Row, numbers: dict[str, int]) -> tuple[int, ...]:
    for name in row.related:
        if name not in numbers:
            raise DataError(f"{path}:{row.line}: related to '{shown(name)}', which is no term{nearest(name, numbers)}")
    return tuple(numbers[name] for name in row.related)
