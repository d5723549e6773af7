"""Keyphrases of Hugging Face datasets: `dataset.map(KeyphraseColumn(top=5), batched=True)`.

It works with `num_proc` and with streamed datasets, and needs nothing of the library itself.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from keyseq.data.formats.columns import Columns
from keyseq.errors import KeyseqError
from keyseq.integrations.table_rows import RowPredictor
from keyseq.systems.recipe import Recipe


class KeyphraseColumn:
    """Adds a column of keyphrases to batches of rows; rows without a text have none.

    The columns of title and text are found by their names, as in JSON lines, unless they are given. `system` and
    settings are those of `keyseq.load`.
    """

    def __init__(
        self,
        system: str | None = None,
        *,
        title: str | None = None,
        text: str | None = None,
        column: str = "predicted",
        **settings: Any,
    ) -> None:
        recipe = Recipe(system=system, settings=settings)
        self._column, self._predictor = column, RowPredictor(recipe=recipe, columns=Columns(title=title, text=text))

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[list[str]]]:
        """The column of a batch, which is given as lists by column."""
        if self._column in batch:
            raise KeyseqError(f"the dataset already has a column '{self._column}'; name another with column=…")
        names = list(batch)
        if any(isinstance(values, str) or not isinstance(values, Sequence) for values in batch.values()):
            raise KeyseqError("keyphrases are predicted for batches of rows: write map(…, batched=True)")
        rows = (dict(zip(names, row, strict=True)) for row in zip(*batch.values(), strict=True))
        found = self._predictor.phrases(rows, names)
        return {self._column: [[phrase.text for phrase in phrases] for phrases in found]}
