"""Scores as text, Markdown, LaTeX, a fragment of HTML and JSON, each with its signature."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from keyseq.evaluation.html.notebook import table_fragment
from keyseq.evaluation.metrics import parse
from keyseq.evaluation.scoring import Scores
from keyseq.evaluation.significance import Comparison, Interval, Result
from keyseq.tables import NOTHING, Cell, render

TEST_NAMES = {"bootstrap": "paired bootstrap", "randomization": "approximate randomization"}
Laid = tuple[list[str], list[list[Cell]]]  # the headers and the rows of a table
SMALL_P = 0.00005  # below it, four decimals would show zero


def render_scores(systems: Mapping[str, Scores], metrics: Sequence[str] | None = None, format: str = "text") -> str:
    """Lay scores out with signatures: a row per system and a column per metric; for one system, a row per metric."""
    metrics = next(iter(systems.values())).metrics if metrics is None else metrics
    if format == "json":
        return as_json([score_record(name, scores, metric) for name, scores in systems.items() for metric in metrics])
    headers, rows = _one(systems, metrics) if len(systems) == 1 else _several(systems, metrics)
    return laid_out(headers, rows, [units(metrics), *signatures(systems, metrics)], format)


def _one(systems: Mapping[str, Scores], metrics: Sequence[str]) -> Laid:
    [(system, scores)] = systems.items()
    rows: list[list[Cell]] = [
        [metric, shown(metric, scores.aggregate(metric)), scores.documents(metric)] for metric in metrics
    ]
    return ["metric", system, "documents"], rows


def _several(systems: Mapping[str, Scores], metrics: Sequence[str]) -> Laid:
    rows: list[list[Cell]] = [
        [name, *(shown(metric, scores.aggregate(metric)) for metric in metrics)] for name, scores in systems.items()
    ]
    return ["system", *metrics], rows


def laid_out(headers: Sequence[str], rows: Sequence[Sequence[Cell]], notes: Sequence[str], format: str) -> str:
    """A table with notes below it."""
    if format == "html":
        return table_fragment(headers, rows, notes)
    return render(headers, rows, format) + footnotes(notes, format)


def score_record(system: str, scores: Scores, metric: str) -> dict[str, Any]:
    """A score with all that is known of it."""
    return {
        "system": system,
        "metric": metric,
        "score": number(scores.aggregate(metric)),
        "documents": scores.documents(metric),
        "signature": scores.signature(metric),
    }


def render_comparison(comparison: Comparison, format: str = "text") -> str:
    """Lay a comparison out, one row per system and metric, with the method and the signatures below."""
    if format == "json":
        return as_json(_comparison_record(comparison))
    level = f"{100 * comparison.resampling.level:g} % interval"
    headers = ["metric", "system", "score", level, "difference", level, *(f"p {test}" for test in comparison.tests)]
    rows = [_row(result, comparison.tests) for result in comparison.results]
    notes = [*explanation(comparison), units(comparison.metrics), *signatures(comparison.systems, comparison.metrics)]
    return laid_out(headers, rows, notes, format)


def _row(result: Result, tests: Sequence[str]) -> list[Cell]:
    metric, difference = result.metric, result.difference
    row: list[Cell] = [metric, result.system, shown(metric, result.score), shown_interval(metric, result.interval)]
    if difference is None:
        return row + [None] * (2 + len(tests))
    row += [shown(metric, difference.value, "+"), shown_interval(metric, difference.interval, "+")]
    return row + [shown_p(difference.corrected[test]) for test in tests]


def explanation(comparison: Comparison) -> list[str]:
    """Describe how intervals and p values were computed."""
    draws = f"{comparison.resampling.samples:,} samples, seed {comparison.resampling.seed}"
    lines = [f"Intervals are percentiles of a bootstrap over the documents ({draws})."]
    others = len(comparison.systems) - 1
    if others:
        lines.append(f"Differences are to {comparison.baseline}.")
    if others and comparison.tests:
        tests = " and ".join(TEST_NAMES[test] for test in comparison.tests)
        correction = f", corrected by Holm's method for the {others} comparisons in each metric" if others > 1 else ""
        lines.append(f"p is two-sided, by {tests}{correction}.")
    return lines


def _comparison_record(comparison: Comparison) -> dict[str, Any]:
    return {
        "baseline": comparison.baseline,
        **asdict(comparison.resampling),
        "tests": comparison.tests,
        "correction": "holm",
        "results": [_result_record(result, comparison.systems[result.system]) for result in comparison.results],
    }


def _result_record(result: Result, scores: Scores) -> dict[str, Any]:
    difference = result.difference
    return score_record(result.system, scores, result.metric) | {
        "interval": _ends(result.interval),
        "difference": difference
        and {
            "value": number(difference.value),
            "interval": _ends(difference.interval),
            "p": {test: number(p) for test, p in difference.p.items()},
            "p_corrected": {test: number(p) for test, p in difference.corrected.items()},
        },
    }


def _ends(interval: Interval) -> list[float | None]:
    return [number(interval.low), number(interval.high)]


def as_json(value: Any) -> str:
    """Write as JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def number(value: float) -> float | None:
    """A value for JSON: null for NaN."""
    return None if math.isnan(value) else value


def units(metrics: Sequence[str]) -> str:
    """Describe the units of the numbers that `shown` writes."""
    shares = [parse(metric).definition.share for metric in metrics]
    return "Scores are in percent." if all(shares) else "Scores are in percent, counts in phrases."


def shown(metric: str, value: float, sign: str = "") -> str:
    """Format a value: fractions in percent, counts as they are; `sign="+"` for a difference."""
    if math.isnan(value):
        return NOTHING
    scaled = 100 * value if parse(metric).definition.share else value
    return f"{scaled:{sign}z.2f}".replace("-", "−")


def shown_interval(metric: str, interval: Interval, sign: str = "") -> str:
    """Format an interval."""
    if math.isnan(interval.low):
        return NOTHING
    return f"[{shown(metric, interval.low, sign)}, {shown(metric, interval.high, sign)}]"


def shown_p(p: float) -> str:
    """Format a p value."""
    return NOTHING if math.isnan(p) else f"{p:.4f}" if p >= SMALL_P else f"{p:.1e}"


def signatures(systems: Mapping[str, Scores], metrics: Sequence[str]) -> list[str]:
    """All signatures, each part once: a line of what all scores share, and a line for each difference."""
    parts = {
        (metric, system): scores.signature(metric).split("|")[1:]
        for metric in metrics
        for system, scores in systems.items()
    }
    every = list(parts.values())
    common = [part for part in every[0] if all(part in other for other in every)] if every else []
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, of_key in parts.items():
        groups.setdefault("|".join(part for part in of_key if part not in common), []).append(key)
    lines = [f"{rest or 'the same'} for {', '.join(_members(keys, systems))}" for rest, keys in groups.items()]
    return ["|".join(common), *(lines if len(groups) > 1 or "" not in groups else [])]


def _members(keys: Sequence[tuple[str, str]], systems: Mapping[str, Scores]) -> list[str]:
    """Metrics by name, with the systems only where they differ."""
    by_metric: dict[str, list[str]] = {}
    for metric, system in keys:
        by_metric.setdefault(metric, []).append(system)
    return [
        metric if len(names) == len(systems) else f"{metric} ({', '.join(names)})"
        for metric, names in by_metric.items()
    ]


def footnotes(lines: Sequence[str], format: str) -> str:
    """Lines below a table: comments in LaTeX, a list in Markdown."""
    prefix = {"text": "", "markdown": "- ", "latex": "% "}[format]
    return "\n" + "".join(f"{prefix}{line}\n" for line in lines)
