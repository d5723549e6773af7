"""Scores per document, as a file."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from keyseq.evaluation.row_file import check_row_file, write_rows
from keyseq.evaluation.scoring import Scores

SCORES_PER_DOCUMENT = "scores per document"


def write_per_document(systems: Mapping[str, Scores], path: Path) -> None:
    """Write a row for each system and document: null, or an empty cell, for documents left out of the average."""
    check_row_file(path, SCORES_PER_DOCUMENT)
    metrics = next(iter(systems.values())).metrics
    write_rows(_rows(systems), ["system", "id", *metrics], path)


def _rows(systems: Mapping[str, Scores]) -> Iterator[dict[str, str | float | None]]:
    for system, scores in systems.items():
        columns = [scores.values[metric].tolist() for metric in scores.metrics]
        for document, *values in zip(scores.ids, *columns, strict=True):
            shown = (None if math.isnan(value) else value for value in values)
            yield {"system": system, "id": document, **dict(zip(scores.metrics, shown, strict=True))}
