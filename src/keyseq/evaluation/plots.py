"""A figure of scores with their confidence intervals."""

from math import ceil, isnan
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from keyseq import figures
from keyseq.evaluation.metrics import parse
from keyseq.evaluation.report import shown, signatures, units
from keyseq.evaluation.significance import Comparison, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 3
LEVEL = 0.05  # p below which a difference is drawn as significant
BASELINE, OTHER, FAINT = "#555555", "#1f5fa8", "0.45"


def draw(comparison: Comparison, path: Path) -> None:
    """Draw a panel for each metric, a dot with its interval for each system, into a PDF, PNG or SVG file."""
    figures.check(path)
    columns = min(COLUMNS, len(comparison.metrics))
    rows = ceil(len(comparison.metrics) / columns)
    height = 0.55 + 0.26 * len(comparison.systems)
    figure = figures.blank(1.2 + 2.9 * columns, 0.7 + height * rows)
    panels = figure.subplots(rows, columns, squeeze=False, sharey=True)
    for axes, metric in zip(panels.flat, comparison.metrics, strict=False):
        _panel(axes, comparison, metric)
    for axes in list(panels.flat)[len(comparison.metrics) :]:
        axes.set_axis_off()
    figure.supxlabel(
        _caption(comparison, 16 + 48 * columns), fontsize=7, color=FAINT, x=0.01, ha="left", parse_math=False
    )
    figures.save(figure, path)


def _panel(axes: "Axes", comparison: Comparison, metric: str) -> None:
    results = comparison.of(metric)
    scale = 100 if parse(metric).definition.share else 1
    axes.set_title(metric, loc="left", fontsize=9, fontweight="bold", parse_math=False)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="0.92", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(results)), [result.system for result in results], parse_math=False)
    axes.set_ylim(len(results) - 0.4, -0.6)
    if not isnan(results[0].score):
        axes.axvline(scale * results[0].score, color=BASELINE, linewidth=0.8, linestyle=(0, (4, 3)))
    for row, result in enumerate(results):
        _dot(axes, row, result, scale)


def _dot(axes: "Axes", row: int, result: Result, scale: float) -> None:
    color = BASELINE if result.difference is None else OTHER
    axes.plot([scale * result.interval.low, scale * result.interval.high], [row, row], color=color, linewidth=1.6)
    axes.plot(
        scale * result.score,
        row,
        "o",
        color=color,
        markersize=6,
        markerfacecolor=color if _differs(result) else "white",
    )
    axes.annotate(
        shown(result.metric, result.score),
        (1, row),
        xycoords=("axes fraction", "data"),
        xytext=(3, 0),
        textcoords="offset points",
        fontsize=8,
        va="center",
    )


def _differs(result: Result) -> bool:
    """Whether a system differs from the baseline by all tests; the baseline itself is drawn filled."""
    return result.difference is None or all(p < LEVEL for p in result.difference.corrected.values())


def _caption(comparison: Comparison, width: int) -> str:
    level = f"{100 * comparison.resampling.level:g}"
    meaning = f"Dots are scores, lines their {level} % intervals, the dashed line is {comparison.baseline}."
    if comparison.tests:
        meaning += f" A filled dot differs from it (p < {LEVEL:g})."
    lines = [f"{meaning} {units(comparison.metrics)}", *signatures(comparison.systems, comparison.metrics)]
    return "\n".join(_wrapped(line, width) for line in lines)


def _wrapped(line: str, width: int) -> str:
    """Break a line between words, and a signature between its parts."""
    return fill(line.replace("|", "| "), width, break_on_hyphens=False).replace("| ", "|")
