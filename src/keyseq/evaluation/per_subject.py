"""Scores per subject, as a file."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from keyseq.errors import KeyseqError
from keyseq.evaluation.row_file import check_row_file, write_rows
from keyseq.evaluation.scoring import Scores

SCORES_PER_SUBJECT = "scores per subject"
COLUMNS = (
    "system",
    "subject",
    "label",
    "support",
    "true_positives",
    "false_positives",
    "false_negatives",
    "precision",
    "recall",
    "f1",
)


def write_per_subject(systems: Mapping[str, Scores], path: Path) -> None:
    """Write a row for each system and each subject of its gold or predictions, the most frequent in the gold first."""
    check_row_file(path, SCORES_PER_SUBJECT)
    write_rows(_rows(systems), COLUMNS, path)


def _rows(systems: Mapping[str, Scores]) -> Iterator[dict[str, str | int | float]]:
    for system, scores in systems.items():
        if scores.subjects is None:
            raise KeyseqError(f"{system} was not scored by subject; ask for a metric such as all.subject-f1@m")
        counts = scores.subjects.counts()
        numbers = (counts.support, counts.true_positives, counts.false_positives, counts.false_negatives)
        measures = [counts.score(which).tolist() for which in ("precision", "recall", "f1")]
        names = scores.subjects.names
        labels = [scores.subjects.labels.get(name, "") for name in names]
        rows = zip(names, labels, *(column.tolist() for column in numbers), *measures, strict=True)
        for row in sorted(rows, key=lambda row: (-row[2], row[0])):
            yield dict(zip(COLUMNS, (system, *row), strict=True))
