"""Rows of tables in memory as documents; rows without a text get no keyphrases."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from keyseq.data.formats.columns import Columns, Fields
from keyseq.data.formats.exports import adapted
from keyseq.errors import DataError, UnfitValueError, named_value
from keyseq.systems.recipe import Recipe
from keyseq.types import Document, Phrase, System

Row = Mapping[str, Any]


def is_missing(value: object) -> bool:
    """Whether a cell is empty: None, NaN or NA."""
    return value is None or named_value(value) in ("NaN", "NA", "a NaTType")


@dataclass(kw_only=True)
class RowPredictor:
    """Predicts the phrases of rows; it can be sent to other processes, where the system is loaded again.

    Columns are found as in CSV files, unless they are named.
    """

    recipe: Recipe
    columns: Columns = field(default_factory=Columns)

    @cached_property
    def system(self) -> System:
        """The system, loaded on first use."""
        return self.recipe.load()

    def __getstate__(self) -> dict[str, Any]:
        return {"recipe": self.recipe, "columns": self.columns}

    def phrases(self, rows: Iterable[Row], names: Sequence[str]) -> list[list[Phrase]]:
        """The phrases of each row, none for rows without a text."""
        fields = self._fields(names)
        read = [self._document(row, index, fields.title, fields.text) for index, row in enumerate(rows)]
        known = [document for document in read if document.text.strip()]
        found = (phrases for _, phrases in self.recipe.predictions(self.system, known))
        return [next(found) if document.text.strip() else [] for document in read]

    def _fields(self, names: Sequence[str]) -> Fields:
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise DataError(f"the table: has two columns '{twice}'; rename or drop one")
        try:
            return adapted(self.columns, names)[0].fields(names, "the table")
        except DataError as error:  # which recommends the flags of the command line
            raise DataError(str(error).replace("--title-column", "title=").replace("--text-column", "text=")) from None

    def _document(self, row: Row, index: int, title: str | None, text: str | None) -> Document:
        return Document(id=str(index), title=_text(row, title, index), body=_text(row, text, index))


def _text(row: Row, column: str | None, index: int) -> str:
    value = None if column is None else row[column]
    if is_missing(value):
        return ""
    if not isinstance(value, str):
        raise UnfitValueError(f"row {index} (counted from 0): '{column}' is {named_value(value)}, not a text")
    return value
