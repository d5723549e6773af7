"""Scores of a system before and after its adaptation, on held-out documents."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from keyseq.adapting.calibration_table import CalibrationTable
from keyseq.adapting.rankings import Answer
from keyseq.evaluation import Scores, evaluate
from keyseq.evaluation.protocols import Protocol, find
from keyseq.evaluation.report import footnotes, number, shown, shown_interval, signatures, units
from keyseq.evaluation.significance import Comparison, Interval, Result, compare
from keyseq.languages import ENGLISH
from keyseq.tables import Cell, render
from keyseq.text.analyzer import Analyzer
from keyseq.types import Document
from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

BEFORE, AFTER = "before", "after"
SEED = 12345

# The list that a user gets is measured by @M, the ranking behind it by @k and recall
LIST = ("all.f1@m", "present.f1@m", "predictions.count")
RANKING = ("all.f1@5", "absent.recall@10", "absent.recall@50")
SHOWN = ("all.f1@m", "all.f1@5", "present.f1@m", "absent.recall@10", "absent.recall@50", "predictions.count")
CONCEPT_LIST = ("all.f1@m", "predictions.count")
CONCEPT_RANKING = ("all.f1@5", "all.ndcg", "all.recall@10")
CONCEPTS_SHOWN = ("all.f1@m", "all.f1@5", "all.ndcg", "all.recall@10", "predictions.count")


@dataclass(frozen=True)
class MeasuredCalibration:
    """The calibration error of a system's phrases."""

    error: float
    interval: Interval


@dataclass(frozen=True)
class BeforeAfter:
    """Two systems on the same documents: scores with intervals and signatures, and calibration errors."""

    comparison: Comparison
    calibration: dict[str, MeasuredCalibration]

    def render(self, format: str = "text") -> str:
        """A row for each metric, with the signatures below."""
        rows = [self._row(metric) for metric in self.comparison.metrics]
        errors = [_shown_error(self.calibration[name]) for name in (BEFORE, AFTER)]
        table = render(["", BEFORE, AFTER, "difference"], [*rows, ["calibration error", *errors, ""]], format)
        notes = [
            f"In brackets, 95 % bootstrap intervals over the held-out documents. {units(self.comparison.metrics)}",
            *signatures(self.comparison.systems, self.comparison.metrics),
        ]
        return table + footnotes(notes, format)

    def record(self) -> dict[str, Any]:
        """All of it as JSON, by system and metric."""
        found: dict[str, Any] = {BEFORE: {}, AFTER: {}}
        for result in self.comparison.results:
            scores = self.comparison.systems[result.system]
            found[result.system][result.metric] = {
                "score": number(result.score),
                "interval": [number(result.interval.low), number(result.interval.high)],
                "signature": scores.signature(result.metric),
            }
        for name, one in self.calibration.items():
            found[name]["calibration error"] = {"score": one.error, "interval": [one.interval.low, one.interval.high]}
        return found

    def _row(self, metric: str) -> list[Cell]:
        before, after = self.comparison.of(metric)
        gap = after.difference
        difference = f"{shown(metric, gap.value, '+')} {shown_interval(metric, gap.interval, '+')}" if gap else ""
        return [metric, _shown_score(before), _shown_score(after), difference]


def measured(
    documents: Sequence[Document],
    before: Sequence[Answer],
    after: Sequence[Answer],
    name: str,
    vocabulary: ControlledVocabulary | None = None,
    language: str = ENGLISH,
) -> BeforeAfter:
    """Score the answers of two systems."""
    answered = {BEFORE: before, AFTER: after}
    rules = find("yuan2020" if vocabulary is None else "annif", {"language": language})
    analyzer, by_concept = Analyzer.for_language(language), vocabulary is not None
    tables = {
        label: CalibrationTable(documents, own, analyzer, by_concept=by_concept) for label, own in answered.items()
    }
    scores = {label: _scores(documents, own, name, rules, vocabulary) for label, own in answered.items()}
    return BeforeAfter(
        compare(scores, SHOWN if vocabulary is None else CONCEPTS_SHOWN, tests=("bootstrap",)),
        {label: MeasuredCalibration(table.error, table.interval(SEED)) for label, table in tables.items()},
    )


def _scores(
    documents: Sequence[Document],
    answered: Sequence[Answer],
    name: str,
    rules: Protocol,
    vocabulary: ControlledVocabulary | None,
) -> Scores:
    """The metrics of lists and those of rankings side by side."""
    lists, rankings = (LIST, RANKING) if vocabulary is None else (CONCEPT_LIST, CONCEPT_RANKING)
    first, second = (
        evaluate(documents, own, metrics=metrics, name=name, protocol=rules, vocabulary=vocabulary, processes=1)
        for own, metrics in (
            ([one.given for one in answered], lists),
            ([one.ranking for one in answered], rankings),
        )
    )
    return replace(first, values={**second.values, **first.values}, metrics=(*first.metrics, *second.metrics))


def _shown_score(result: Result) -> str:
    return f"{shown(result.metric, result.score)} {shown_interval(result.metric, result.interval)}"


def _shown_error(one: MeasuredCalibration) -> str:
    return f"{one.error:.3f} [{one.interval.low:.3f}, {one.interval.high:.3f}]"
