"""The calibration of phrase scores as probabilities: a table and a reliability diagram for notebooks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keyseq.errors import DataError, KeyseqError
from keyseq.evaluation.html.markup import Markup, element
from keyseq.imports import require
from keyseq.ranking.reliability import BINS, Bin, calibration_error
from keyseq.ranking.reliability import reliability as binned
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.presence import phrase_stems
from keyseq.types import Document, Phrase

SIZE, MARGIN = 240, 30  # pixels of the diagram


@dataclass(frozen=True, repr=False)
class ReliabilityDiagram:
    """Predicted phrases in bins by score: the share of gold keyphrases against the mean score."""

    bins: tuple[Bin, ...]

    @property
    def phrases(self) -> int:
        """The number of predicted phrases."""
        return sum(one.count for one in self.bins)

    @property
    def error(self) -> float:
        """The expected calibration error."""
        return calibration_error(self.bins)

    def __repr__(self) -> str:
        return f"ReliabilityDiagram({self.phrases:,} phrases, expected calibration error {self.error:.3f})"

    def to_pandas(self) -> Any:  # a DataFrame
        """A row for each bin."""
        rows = [(one.count, one.predicted, one.observed) for one in self.bins]
        return require("pandas", "pandas").DataFrame(rows, columns=["phrases", "predicted", "observed"])

    def _repr_html_(self) -> str:
        bars = [bar for one in self.bins for bar in _bar(one)]
        diagonal = element("line", x1=_x(0), y1=_y(0), x2=_x(1), y2=_y(1), stroke="currentColor", opacity="0.4")
        axes = [_text(_x(0.5), SIZE + 2 * MARGIN - 4, "score"), _text(_x(0.5), MARGIN - 12, "share of gold keyphrases")]
        ticks = [_text(_x(tick), SIZE + MARGIN + 12, f"{tick:g}") for tick in (0, 0.5, 1)]
        levels = [_text(MARGIN - 14, _y(tick) + 4, f"{tick:g}") for tick in (0, 0.5, 1)]
        side = SIZE + 2 * MARGIN
        figure = element(
            "svg", *bars, diagonal, *axes, *ticks, *levels, width=side, height=side, role="img", aria_label=repr(self)
        )
        told = f"{self.phrases:,} phrases; expected calibration error {self.error:.3f}"
        return element("figure", figure, element("figcaption", told))


def _x(value: float) -> float:
    return round(MARGIN + SIZE * value, 1)


def _y(value: float) -> float:
    return round(MARGIN + SIZE * (1 - value), 1)


def _bar(one: Bin) -> list[Markup]:
    width = SIZE / BINS - 4
    left = _x(min(int(one.predicted * BINS), BINS - 1) / BINS) + 2
    title = f"{one.count:,} phrases, mean score {one.predicted:.2f}, {one.observed:.0%} gold"
    bar = element("rect", x=left, y=_y(one.observed), width=width, height=SIZE * one.observed, fill="#4c78a8")
    return [element("g", element("title", title), bar)]


def _text(x: float, y: float, text: str) -> Markup:
    return element("text", text, x=x, y=y, text_anchor="middle", font_size="11", fill="currentColor")


def reliability(
    gold: Iterable[Document], predictions: Iterable[Sequence[Phrase]], *, analyzer: Analyzer = ENGLISH
) -> ReliabilityDiagram:
    """Compare the scores of predicted phrases with how often they are gold keyphrases, by stems.

    `predictions` are phrases as `predict` returns them, one list for each gold document in the same order.
    """
    scores: list[float] = []
    right: list[bool] = []
    for document, phrases in zip(gold, predictions, strict=True):
        if document.keyphrases is None:
            raise DataError(f"document '{document.id}' has no gold keyphrases; remove it or add them")
        known = {tuple(phrase_stems(phrase, analyzer)) for phrase in document.keyphrases}
        for phrase in phrases:
            if not isinstance(phrase, Phrase):
                raise KeyseqError("reliability needs phrases with their scores, as predict returns them")
            scores.append(phrase.score)
            right.append(tuple(phrase_stems(phrase.text, analyzer)) in known)
    return ReliabilityDiagram(tuple(binned(np.array(scores), np.array(right, dtype=bool))) if scores else ())
