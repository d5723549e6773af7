"""Rows of scores as a file: JSON lines, CSV or TSV, by its suffix."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from keyseq.errors import KeyseqError
from keyseq.files import bare_suffix, write_whole

SUFFIXES = (".jsonl", ".csv", ".tsv")


def write_rows(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], path: Path) -> None:
    """Write rows, whole or not at all."""
    with write_whole(path) as file:
        if bare_suffix(path) == ".jsonl":
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            return
        delimiter = "\t" if bare_suffix(path) == ".tsv" else ","
        table = csv.DictWriter(file, columns, delimiter=delimiter, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def check_row_file(path: Path, what: str) -> None:
    """Refuse a file name without a known suffix; `what` is what it would hold."""
    if bare_suffix(path) not in SUFFIXES:
        raise KeyseqError(f"{path}: {what} must be written to {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
