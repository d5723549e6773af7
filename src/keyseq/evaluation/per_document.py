"""Scores per document, as a file."""

import csv
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from keyseq.errors import KeyseqError
from keyseq.evaluation.scoring import Scores
from keyseq.files import bare_suffix, write_whole

SUFFIXES = (".jsonl", ".csv")


def write_per_document(systems: Mapping[str, Scores], path: Path) -> None:
    """Write a row for each system and document: null, or an empty cell, for documents left out of the average."""
    check_name(path)
    with write_whole(path) as file:
        if bare_suffix(path) == ".jsonl":
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(systems))
            return
        metrics = next(iter(systems.values())).metrics
        table = csv.DictWriter(file, ["system", "id", *metrics], lineterminator="\n")
        table.writeheader()
        table.writerows(_rows(systems))


def check_name(path: Path) -> None:
    """Refuse a file name without a known suffix."""
    if bare_suffix(path) not in SUFFIXES:
        raise KeyseqError(f"{path}: scores per document must be written to {' or '.join(SUFFIXES)}")


def _rows(systems: Mapping[str, Scores]) -> Iterator[dict[str, str | float | None]]:
    for system, scores in systems.items():
        columns = [scores.values[metric].tolist() for metric in scores.metrics]
        for document, *values in zip(scores.ids, *columns, strict=True):
            shown = (None if math.isnan(value) else value for value in values)
            yield {"system": system, "id": document, **dict(zip(scores.metrics, shown, strict=True))}
