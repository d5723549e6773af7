"""Check for regressions: the scores of a system on held-out documents before and after a change."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keyseq.data.formats import read_documents
from keyseq.errors import KeyseqError
from keyseq.evaluation import Scores, evaluate
from keyseq.evaluation.protocols import find
from keyseq.evaluation.significance import Interval, paired_bootstrap
from keyseq.systems.combined import CombinedSystem
from keyseq.types import Document

METRIC = "all.f1@m"


@dataclass(frozen=True, kw_only=True)
class QualityCheck:
    """The scores of a system before and after a change, and the 95 % interval of their difference."""

    documents: int
    before: float
    after: float
    interval: Interval

    @property
    def fell(self) -> bool:
        """Whether the score fell significantly."""
        return self.interval.high < 0

    def __str__(self) -> str:
        low, high = 100 * self.interval.low, 100 * self.interval.high
        return (
            f"F1@M on {self.documents:,} held-out documents {100 * self.before:.1f} → {100 * self.after:.1f}"
            f" (95 % interval of the difference {low:+.1f} to {high:+.1f})"
        )

    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "documents": self.documents,
            "before": self.before,
            "after": self.after,
            "difference": [self.interval.low, self.interval.high],
        }


def read_held_out(path: Path) -> list[Document]:
    """The documents of a file that have keyphrases, or concepts."""
    found = [document for document in read_documents(path) if document.keyphrases or document.subjects]
    if not found:
        raise KeyseqError(f"{path}: no document has keyphrases; a check needs documents that have them")
    return found


def check_quality(documents: Sequence[Document], before: CombinedSystem, after: CombinedSystem) -> QualityCheck:
    """Compare two systems on the same documents."""
    first, second = (_scores(documents, system) for system in (before, after))
    difference = paired_bootstrap(second, first, METRIC)
    return QualityCheck(
        documents=len(documents),
        before=first.aggregate(METRIC),
        after=second.aggregate(METRIC),
        interval=difference.interval,
    )


def _scores(documents: Sequence[Document], system: CombinedSystem) -> Scores:
    """The score of phrases, by the stems of the system's language, or of concepts if it gives these by itself."""
    predicted, concepts = system.predict(documents), system.parts.concepts
    vocabulary = None if concepts is None else concepts.vocabulary
    rules = find("yuan2020" if concepts is None else "annif", {"language": system.parts.analyzer.language})
    return evaluate(documents, predicted, metrics=(METRIC,), protocol=rules, vocabulary=vocabulary, processes=1)
