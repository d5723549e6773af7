"""The figures of the analysis: decoder states in two dimensions, and cosines of separator states."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from keyseq import figures
from keyseq.analysis.clusters import frequent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURED = 10  # words with a separate colour
OTHERS = "0.82"


@dataclass(frozen=True, slots=True)
class Panel:
    """One scatter plot: embedded states (N, 2), the words that they emit, and the cluster measures."""

    places: NDArray[np.floating]
    words: Sequence[str]
    silhouette: float
    purity: float
    chance: float

    @property
    def caption(self) -> str:
        """Its measures in one line."""
        numbers = f"silhouette {self.silhouette:z.2f}, purity {self.purity:.2f} (chance {self.chance:.2f})"
        return f"{len(self.words):,} states: {numbers}"


def draw_states(panels: Mapping[str, Mapping[int, Panel]], path: Path) -> None:
    """Draw a row for each network and a column for each number of steps after a separator, as the paper does."""
    columns = sorted({steps for row in panels.values() for steps in row})
    figure = figures.blank(3.6 * len(columns) + 0.4, 4.5 * len(panels) + 0.4)
    axes = figure.subplots(len(panels), len(columns), squeeze=False)
    for line, (network, row) in zip(axes, panels.items(), strict=True):
        for place, (one, steps) in enumerate(zip(line, columns, strict=True)):
            _cloud(one, row[steps])
            one.set_title(f"{network}, k = {steps}", loc="left", fontsize=10, fontweight="bold", parse_math=False)
            if place == 0:
                one.set_ylabel("t-SNE of decoder states", fontsize=8)
    figure.supxlabel(
        f"A dot is a decoder state k steps after a separator; colours are the {COLOURED} words that a panel emits most,"
        " grey are all others.",
        fontsize=8,
        color="0.35",
    )
    figures.save(figure, path)


def _cloud(axes: "Axes", panel: Panel) -> None:
    colormaps = figures.matplotlib().colormaps
    words = np.array(panel.words)
    top = frequent(panel.words, COLOURED)
    rest = ~np.isin(words, top)
    axes.scatter(panel.places[rest, 0], panel.places[rest, 1], s=4, color=OTHERS, linewidths=0)
    for number, word in enumerate(top):
        chosen = words == word
        label = f"{word} ({np.count_nonzero(chosen)})".replace("$", r"\$")
        colour = colormaps["tab10"](number)
        axes.scatter(panel.places[chosen, 0], panel.places[chosen, 1], s=9, color=colour, linewidths=0, label=label)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_xlabel(panel.caption, fontsize=7.5, color="0.3")
    if top:
        axes.legend(
            loc="upper center", bbox_to_anchor=(0.5, -0.07), ncols=3, fontsize=7, frameon=False, markerscale=2,
            handletextpad=0.1, columnspacing=0.8,
        )  # fmt: skip


def draw_cosines(matrices: Mapping[str, NDArray[np.floating]], path: Path) -> None:
    """Draw a heat map for each network: the mean cosine of the i-th and the j-th separator's state."""
    figure = figures.blank(3.4 * len(matrices) + 0.8, 3.6)
    panels = figure.subplots(1, len(matrices), squeeze=False)[0]
    image = None
    for axes, (network, matrix) in zip(panels, matrices.items(), strict=True):
        image = axes.imshow(matrix, vmin=-1, vmax=1, cmap="RdBu_r")
        axes.set_title(network, loc="left", fontsize=10, fontweight="bold", parse_math=False)
        ticks = range(len(matrix))
        axes.set_xticks(ticks, [str(place + 1) for place in ticks], fontsize=8)
        axes.set_yticks(ticks, [str(place + 1) for place in ticks], fontsize=8)
        axes.set_xlabel("separator", fontsize=8)
        axes.set_ylabel("separator", fontsize=8)
        for i, j in np.argwhere(~np.isnan(matrix)).tolist():
            dark = abs(matrix[i, j]) > 0.6
            axes.text(j, i, f"{matrix[i, j]:z.2f}", ha="center", va="center", fontsize=6, color="w" if dark else "k")
    if image is not None:
        figure.colorbar(image, ax=list(panels), shrink=0.8, label="mean cosine")
    figures.save(figure, path)
