"""Significance of differences between systems, by resampling the documents of a test set.

Two tests, both paired, two-sided and seeded, both on whole-corpus scores, which need not be means over documents:

- `bootstrap` (Koehn 2004): score both systems on the same documents drawn with replacement; under the null
  hypothesis the difference spreads around zero as the drawn differences d* spread around the observed d, so
  p = (1 + #{|d* - d| >= |d|}) / (1 + samples).
- `randomization` (Noreen 1989; Riezler and Maxwell 2005): under the null hypothesis it does not matter which system
  produced which output, so swap the two outputs of each document at random:
  p = (1 + #{|d*| >= |d|}) / (1 + samples).

Intervals are percentiles of the bootstrap.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keyseq.errors import KeyseqError, nearest
from keyseq.evaluation.metrics import Floats
from keyseq.evaluation.resampling import Progress, Resampling, bootstrap, randomized, unseen
from keyseq.evaluation.scoring import Scores
from keyseq.evaluation.tabular import Tabular

TESTS = ("bootstrap", "randomization")

TOLERANCE = 1e-12  # the same numbers summed in another order are equal


@dataclass(frozen=True)
class Interval:
    """The two ends of a confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A system's difference from the baseline; `p` and corrected p by test."""

    value: float
    interval: Interval
    p: Mapping[str, float]
    corrected: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class Result:
    """A system's score in one metric; the baseline has no difference."""

    system: str
    metric: str
    score: float
    interval: Interval
    difference: Difference | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Tabular):
    """Systems compared with the first of them, and the method."""

    systems: Mapping[str, Scores]
    metrics: tuple[str, ...]
    tests: tuple[str, ...]
    resampling: Resampling
    results: tuple[Result, ...]

    def __repr__(self) -> str:
        others = ", ".join(list(self.systems)[1:])
        return f"Comparison({others} with {self.baseline}: {', '.join(self.metrics)})"

    def rendered(self, format: str) -> str:
        """A table with its signatures as `text`, `markdown`, `latex`, `html` or `json`."""
        from keyseq.evaluation.report import render_comparison

        return render_comparison(self, format)

    def records(self) -> list[dict[str, Any]]:
        """A row for each system and metric."""
        return [_flat(result, self.tests) for result in self.results]

    @property
    def baseline(self) -> str:
        """The name of the system that the others are compared with."""
        return next(iter(self.systems))

    def of(self, metric: str) -> list[Result]:
        """The results of all systems in one metric."""
        return [result for result in self.results if result.metric == metric]


def _flat(result: Result, tests: Sequence[str]) -> dict[str, Any]:
    """A result as one row: the ends of intervals, and the corrected p of each test, NaN for the baseline."""
    nothing = Interval(np.nan, np.nan)
    value, interval, p = np.nan, nothing, dict.fromkeys(tests, np.nan)
    if result.difference is not None:
        value, interval, p = result.difference.value, result.difference.interval, dict(result.difference.corrected)
    return {
        "metric": result.metric,
        "system": result.system,
        "score": result.score,
        "low": result.interval.low,
        "high": result.interval.high,
        "difference": value,
        "difference_low": interval.low,
        "difference_high": interval.high,
        **{f"p_{test}": p[test] for test in tests},
    }


def confidence_interval(scores: Scores, metric: str, resampling: Resampling | None = None) -> Interval:
    """The confidence interval of a score."""
    return compare({"": scores}, [metric], resampling, tests=()).results[0].interval


def paired_bootstrap(a: Scores, b: Scores, metric: str, resampling: Resampling | None = None) -> Difference:
    """Test a's difference to b by drawing documents with replacement."""
    return _paired(a, b, metric, resampling, "bootstrap")


def approximate_randomization(a: Scores, b: Scores, metric: str, resampling: Resampling | None = None) -> Difference:
    """Test a's difference to b by swapping their outputs."""
    return _paired(a, b, metric, resampling, "randomization")


def _paired(a: Scores, b: Scores, metric: str, resampling: Resampling | None, test: str) -> Difference:
    comparison = compare({"b": b, "a": a}, [metric], resampling, [test])
    [difference] = [result.difference for result in comparison.results if result.difference]
    return difference


def compare(
    systems: Mapping[str, Scores],
    metrics: Sequence[str],
    resampling: Resampling | None = None,
    tests: Sequence[str] = TESTS,
    progress: Progress = unseen,
) -> Comparison:
    """Compare every system with the first, metric by metric; NaN where a metric has no documents.

    Holm's correction is over the systems compared in one metric, not over the metrics, which measure the same
    outputs.
    """
    resampling = resampling or Resampling()
    check_comparable(systems)
    for test in tests:
        if test not in TESTS:
            raise KeyseqError(f"unknown test '{test}'{nearest(test, TESTS)}")
    metrics = list(dict.fromkeys(metrics))
    tables = list(systems.values())
    scores = np.array([[table.aggregate(metric) for metric in metrics] for table in tables])
    drawn = bootstrap(tables, metrics, resampling, progress)
    gaps, spreads = scores[1:] - scores[0], drawn[1:] - drawn[0]
    p = {}
    if "bootstrap" in tests:
        p["bootstrap"] = _p(spreads - gaps[..., np.newaxis], gaps)
    if "randomization" in tests:
        swapped = [randomized(table, tables[0], metrics, resampling, progress) for table in tables[1:]]
        p["randomization"] = _p(np.reshape(swapped, spreads.shape), gaps)
    differences = _differences(gaps, _intervals(spreads, resampling), p)
    intervals = _intervals(drawn, resampling).tolist()
    results = (
        Result(
            system=system,
            metric=metric,
            score=float(scores[row, column]),
            interval=Interval(*intervals[row][column]),
            difference=differences[row - 1][column] if row else None,
        )
        for column, metric in enumerate(metrics)
        for row, system in enumerate(systems)
    )
    return Comparison(
        systems=systems, metrics=tuple(metrics), tests=tuple(p), resampling=resampling, results=tuple(results)
    )


def _differences(gaps: Floats, intervals: Floats, p: Mapping[str, Floats]) -> list[list[Difference]]:
    """Gather what was computed about each system but the baseline (first axis) in each metric (second axis)."""
    corrected = {test: holm(values) for test, values in p.items()}
    return [
        [
            Difference(
                value=float(gap),
                interval=Interval(*intervals[cell].tolist()),
                p={test: float(values[cell]) for test, values in p.items()},
                corrected={test: float(values[cell]) for test, values in corrected.items()},
            )
            for column, gap in enumerate(row_of_gaps)
            for cell in [(row, column)]
        ]
        for row, row_of_gaps in enumerate(gaps)
    ]


def check_comparable(systems: Mapping[str, Scores]) -> None:
    """Refuse systems that were not scored on the same documents by the same rules."""
    (first, baseline), *others = systems.items()
    for name, scores in others:
        if scores.protocol != baseline.protocol:
            raise KeyseqError(
                f"{name} was scored by the rules of {scores.protocol.name} and {first} by those of "
                f"{baseline.protocol.name}; score both by one protocol"
            )
        if (scores.ids, _digest(scores)) != (baseline.ids, _digest(baseline)):
            raise KeyseqError(
                f"{name} and {first} were not scored on the same documents in the same order "
                f"({len(scores.ids)} and {len(baseline.ids)}); score both against the same gold file"
            )
    if not baseline.ids:
        raise KeyseqError(f"{first} was scored on no document, so it cannot be resampled; use a corpus with keyphrases")


def _digest(scores: Scores) -> str:
    """The digest of the texts and gold phrases, independent of the corpus name."""
    return scores.data.rpartition(":")[2]


def _p(null: Floats, observed: Floats) -> Floats:
    """The fraction of differences under the null hypothesis (…, samples) at least as large as those observed."""
    extreme = np.abs(null) >= np.abs(observed)[..., np.newaxis] - TOLERANCE
    drawn = ~np.isnan(null)  # a sample may lack the few documents that count in a metric
    return np.where(np.isnan(observed), np.nan, (1 + extreme.sum(axis=-1)) / (1 + drawn.sum(axis=-1)))


def holm(p: Floats) -> Floats:
    """Correct the p of several comparisons (first axis) for their number (Holm 1979)."""
    order = np.argsort(p, axis=0)
    remaining = np.arange(len(p), 0, -1).reshape(-1, *[1] * (p.ndim - 1))
    stepped = np.maximum.accumulate(np.take_along_axis(p, order, axis=0) * remaining, axis=0)
    corrected = np.empty_like(p)
    np.put_along_axis(corrected, order, np.minimum(stepped, 1.0), axis=0)
    return corrected


def _intervals(drawn: Floats, resampling: Resampling) -> Floats:
    """Percentiles over the samples: (…, samples) → (…, 2)."""
    tail = (1 - resampling.level) / 2
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "All-NaN slice")  # no document counts: no interval either
        return np.moveaxis(np.nanquantile(drawn, [tail, 1 - tail], axis=-1), 0, -1)
