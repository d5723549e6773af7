"""Predictions and gold by subject: how often each was predicted rightly, wrongly, or missed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from keyseq.evaluation.metrics import Counts, Floats, Name, harmonic, ratio

Assigned = tuple[Sequence[str], Sequence[str]]  # the gold and the predicted subjects of a document, the best first


@dataclass(frozen=True)
class SubjectCounts:
    """Of each subject (S,): documents for which it was predicted rightly, wrongly, and missed."""

    true_positives: Counts
    false_positives: Counts
    false_negatives: Counts

    @property
    def support(self) -> Counts:
        """Documents whose gold has the subject (S,)."""
        return self.true_positives + self.false_negatives

    @property
    def occurring(self) -> NDArray[np.bool_]:
        """Which subjects are in the gold or in the predictions (S,)."""
        found: NDArray[np.bool_] = self.support + self.false_positives > 0
        return found

    def score(self, which: str) -> Floats:
        """The precision, recall or f1 of each subject (S,); 0 where it is not defined."""
        precision = ratio(self.true_positives, self.true_positives + self.false_positives)
        recall = ratio(self.true_positives, self.support)
        return {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}[which]


@dataclass(frozen=True, eq=False)
class SubjectTable:
    """The assignments (E,) of subjects to documents, by a system, by the gold, or by both.

    `rank` is the place of a subject among the predictions of a document, -1 if it was not predicted. `concepts` is the
    size of the vocabulary, if there is one: its other concepts are subjects too, that neither has.
    """

    names: tuple[str, ...]
    documents: Counts  # (E,)
    subjects: Counts  # (E,)
    rank: Counts  # (E,)
    gold: NDArray[np.bool_]  # (E,)
    concepts: int | None = None
    labels: Mapping[str, str] = field(default_factory=dict)  # of names that are URIs

    @classmethod
    def of(cls, assigned: Iterable[Assigned]) -> "SubjectTable":
        """Lay the assignments of documents out."""
        numbers: dict[str, int] = {}
        rows: list[tuple[int, int, int, bool]] = []
        for document, (targets, predicted) in enumerate(assigned):
            gold = set(targets)
            ranks = {name: rank for rank, name in reversed(list(enumerate(predicted)))}
            for name in dict.fromkeys([*ranks, *targets]):
                number = numbers.setdefault(name, len(numbers))
                rows.append((document, number, ranks.get(name, -1), name in gold))
        documents, subjects, rank, is_gold = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        return cls(tuple(numbers), documents, subjects, rank, is_gold.astype(bool))

    def counts(self, at: int | str | None = None) -> SubjectCounts:
        """The counts at a cutoff of predictions per document: a number, `o` as many as gold, `m` all."""
        limit: Counts | int = at if isinstance(at, int) else np.iinfo(np.int64).max
        if at == "o":
            limit = np.bincount(self.documents, self.gold)[self.documents].astype(np.int64)
        predicted = (self.rank >= 0) & (self.rank < limit)
        return SubjectCounts(
            *(
                np.bincount(self.subjects[kept], minlength=len(self.names))
                for kept in (predicted & self.gold, predicted & ~self.gold, ~predicted & self.gold)
            )
        )

    def average(self, name: Name) -> float:
        """A score averaged over subjects: all alike, or weighted by their support; NaN without subjects."""
        counts, which = self.counts(name.at), name.metric.rpartition("-")[2]
        scores = counts.score(which)
        if name.definition.aggregate == "weighted":
            total = counts.support.sum()
            return float(scores @ counts.support / total) if total else float("nan")
        subjects = self.concepts or int(counts.occurring.sum())
        return float(scores.sum() / subjects) if subjects else float("nan")
