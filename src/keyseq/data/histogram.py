"""A histogram of the number of keyphrases per document."""

from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from keyseq import figures
from keyseq.data.statistics import Statistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 3
SHOWN = 0.99  # fraction of documents with separate bars; the few others share the last bar

BAR, LAST_BAR, MEAN = "#4477aa", "#bbccdd", "#cc3311"


def draw(corpora: Mapping[str, Statistics], path: Path) -> None:
    """Draw a histogram with the mean for each corpus, in one PDF, PNG or SVG file."""
    columns = min(COLUMNS, len(corpora))
    rows = ceil(len(corpora) / columns)
    figure = figures.blank(3.4 * columns, 2.3 * rows + 0.3)
    grid = list(figure.subplots(rows, columns, squeeze=False).flat)
    for axes, (name, statistics) in zip(grid, corpora.items(), strict=False):
        _histogram(axes, name, statistics)
    for axes in grid[len(corpora) :]:
        axes.set_axis_off()
    figure.supxlabel("keyphrases per document", fontsize=9)
    figure.supylabel("% of documents", fontsize=9)
    figures.save(figure, path)


def bars(sizes: Mapping[int, int]) -> tuple[dict[int, float], float]:
    """Percent of documents by number of keyphrases, up to the 99th percentile, and percent beyond it."""
    total = sum(sizes.values())
    shown: dict[int, float] = {}
    counted = 0
    for size in range(max(sizes) + 1):
        if counted >= SHOWN * total:
            break
        counted += sizes.get(size, 0)
        shown[size] = 100 * sizes.get(size, 0) / total
    return shown, 100 * (total - counted) / total


def _histogram(axes: "Axes", name: str, statistics: Statistics) -> None:
    axes.set_title(name, loc="left", fontsize=10, fontweight="bold", parse_math=False)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    if statistics.mean is None:
        axes.text(0.5, 0.5, "no keyphrases known", ha="center", va="center", fontsize=8, transform=axes.transAxes)
        return
    shown, beyond = bars(statistics.sizes)
    axes.bar(list(shown), list(shown.values()), width=0.85, color=BAR)
    if beyond:
        axes.bar(len(shown), beyond, width=0.85, color=LAST_BAR, label=f"{len(shown)} or more")
    axes.axvline(statistics.mean, color=MEAN, linewidth=1.2, label=f"mean {statistics.mean:.1f}")
    axes.legend(fontsize=7, frameon=False, loc="upper right", handlelength=1)
    axes.set_title(f"{statistics.documents:,} documents", loc="right", fontsize=8, color="0.4")
    axes.xaxis.set_major_locator(figures.matplotlib("matplotlib.ticker").MaxNLocator(integer=True))
