"""Add keyphrases to a Ray Data dataset as a column, by actors that load the system once."""

from typing import TYPE_CHECKING, Any

from keyseq.data.formats.columns import Columns
from keyseq.data.formats.jsonl import record_document
from keyseq.errors import DataError, KeyseqError
from keyseq.imports import require
from keyseq.predictions.arrow import phrase_rows, phrases_type
from keyseq.systems.recipe import BATCH, Recipe
from keyseq.types import Document

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset

PREDICTED, ERROR = "predicted", "error"


def predict(dataset: "Dataset", *, system: str | None = None, actors: int = 1, **settings: Any) -> "Dataset":
    """Add the columns `predicted`, a list of phrases, and `error`, the reason why a row has none; all others stay.

    Titles and texts are found by the names of their columns, as in JSON lines. `settings` are those of `keyseq.load`.
    Nothing is done before the dataset is consumed.
    """
    require("ray.data", "ray")
    recipe = Recipe(system=system, settings=settings)
    return dataset.map_batches(
        _RowPredictor,
        fn_constructor_args=(recipe,),
        batch_size=BATCH,
        batch_format="pyarrow",
        concurrency=actors,
        num_cpus=1,
    )


class _RowPredictor:
    """Predicts batches of rows in an actor."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe, self._system = recipe, recipe.load_alone()

    def __call__(self, table: "pa.Table") -> "pa.Table":
        import pyarrow as pa

        taken = {PREDICTED, ERROR}.intersection(table.column_names)
        if taken:
            raise KeyseqError(f"the dataset already has a column '{min(taken)}'; rename it first")
        read = [_document(row, number) for number, row in enumerate(table.to_pylist(), start=1)]
        predictions = self._recipe.predictions(self._system, [row for row in read if isinstance(row, Document)])
        phrases = (phrase_rows(phrases) for _, phrases in predictions)
        found = [next(phrases) if isinstance(row, Document) else None for row in read]
        errors = [None if isinstance(row, Document) else row for row in read]
        table = table.append_column(PREDICTED, pa.array(found, phrases_type()))
        return table.append_column(ERROR, pa.array(errors, pa.string()))


def _document(row: dict[str, Any], number: int) -> Document | str:
    """The document of a row, or the reason why there is none."""
    try:
        return record_document(row, number, "row", Columns())
    except DataError as error:
        return str(error)
