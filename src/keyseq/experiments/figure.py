"""The figure of a table of scores: measured values with intervals, and published ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from keyseq import figures
from keyseq.experiments.table import Section, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEASURED, PUBLISHED = "#1f5fa8", "#b5541c"


def draw(sections: Sequence[Section], path: Path) -> None:
    """Draw a row of panels for each test set, a panel for each metric, a line for each system."""
    metrics = list(dict.fromkeys(value.column for section in sections for value in section.values))
    labels = list(dict.fromkeys(value.row for section in sections for value in section.values))
    height = 0.75 + 0.2 * len(labels)
    figure = figures.blank(2.0 + 2.7 * len(metrics), 0.5 + height * len(sections))
    panels = figure.subplots(len(sections), len(metrics), squeeze=False, sharey=True)
    for line, section in zip(panels, sections, strict=True):
        for axes, metric in zip(line, metrics, strict=True):
            _panel(axes, [value for value in section.values if value.column == metric], labels)
            axes.set_title(f"{section.title}: {metric}", loc="left", fontsize=9, fontweight="bold", parse_math=False)
    handles, names = panels[0, 0].get_legend_handles_labels()
    unique = dict(zip(names, handles, strict=True))
    figure.legend(unique.values(), unique.keys(), loc="outside lower center", ncols=2, fontsize=8, frameon=False)
    figures.save(figure, path)


def _panel(axes: "Axes", values: Sequence[Value], labels: Sequence[str]) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="0.92", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(labels)), labels, parse_math=False)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    for value in values:
        _mark(axes, value, labels.index(value.row))


def _mark(axes: "Axes", value: Value, row: int) -> None:
    if value.published is not None:
        axes.plot(value.published, row, "D", color=PUBLISHED, markersize=5, fillstyle="none", label="published")
    if value.measured is not None:
        axes.plot(value.measured, row, "o", color=MEASURED, markersize=5, label="measured, 95 % interval")
    if value.interval is not None:
        axes.plot(value.interval, (row, row), color=MEASURED, linewidth=1.5)
