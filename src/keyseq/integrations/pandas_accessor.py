"""Keyphrases of pandas tables: `frame.keyseq.generate(top=5)`, once this module is imported.

import keyseq.integrations.pandas_accessor

papers["keyphrases"] = papers.keyseq.generate(top=5)
"""

from typing import TYPE_CHECKING, Any

from keyseq.data.formats.columns import Columns
from keyseq.imports import require
from keyseq.integrations.table_rows import RowPredictor
from keyseq.systems.recipe import Recipe
from keyseq.types import Phrase

if TYPE_CHECKING:
    import pandas as pd

ACCESSOR = "keyseq"
TEXT = "text"  # the column that a series is taken for


class _FrameAccessor:
    """A frame, or a series of texts, and its keyphrases; rows without a text have none."""

    def __init__(self, table: "pd.DataFrame | pd.Series[Any]") -> None:
        self._table = table

    def generate(
        self, system: str | None = None, *, title: str | None = None, text: str | None = None, **settings: Any
    ) -> "pd.Series[Any]":
        """A series of lists of keyphrases, with the index of the table.

        The columns of title and text are found by their names, as in a CSV file, unless they are given. `system` and
        settings are those of `keyseq.load`.
        """
        found = self._phrases(system, title, text, settings)
        texts = [[phrase.text for phrase in phrases] for phrases in found]
        return require("pandas", "pandas").Series(texts, index=self._table.index, name="keyphrases", dtype=object)

    def phrases(
        self, system: str | None = None, *, title: str | None = None, text: str | None = None, **settings: Any
    ) -> "pd.DataFrame":
        """A row for each phrase: the index of its document, rank, keyphrase, score, whether the text contains it."""
        found = self._phrases(system, title, text, settings)
        rows = [
            (index, rank, phrase.text, phrase.score, phrase.present)
            for index, phrases in zip(self._table.index, found, strict=True)
            for rank, phrase in enumerate(phrases, start=1)
        ]
        names = ["document", "rank", "keyphrase", "score", "present"]
        frame: pd.DataFrame = require("pandas", "pandas").DataFrame(rows, columns=names)
        return frame

    def _phrases(
        self, system: str | None, title: str | None, text: str | None, settings: dict[str, Any]
    ) -> list[list[Phrase]]:
        frame = self._table if self._table.ndim == 2 else self._table.to_frame(TEXT)
        named = Columns(title=title, text=text if self._table.ndim == 2 else TEXT)
        predictor = RowPredictor(recipe=Recipe(system=system, settings=settings), columns=named)
        names = [name for name in frame.columns if isinstance(name, str)]
        rows = (dict(zip(names, row, strict=True)) for row in frame[names].itertuples(index=False, name=None))
        return predictor.phrases(rows, names)


def _register() -> None:
    extensions = require("pandas.api.extensions", "pandas")
    extensions.register_dataframe_accessor(ACCESSOR)(_FrameAccessor)
    extensions.register_series_accessor(ACCESSOR)(_FrameAccessor)


_register()
