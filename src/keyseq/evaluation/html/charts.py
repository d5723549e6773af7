"""Inline charts of a report: confidence intervals in table rows, and histograms of document scores."""

import numpy as np

from keyseq.evaluation.html.markup import Markup, element
from keyseq.evaluation.metrics import Floats
from keyseq.evaluation.significance import Interval

BINS = 10
ROUNDING = 1e-9  # ends of a scale that differ by less are equal


def interval(
    score: float, ends: Interval, scale: tuple[float, float], labels: tuple[str, str], baseline: float | None = None
) -> Markup:
    """Draw a score as a dot on its interval, on a scale whose ends are labelled; a tick marks the baseline."""
    low, high = scale

    def at(value: float) -> str:
        return f"{5 + 150 * (value - low) / (high - low if high - low > ROUNDING else 1):.1f}"

    return element(
        "svg",
        element("line", x1="5", x2="155", y1="9", y2="9", class_="axis"),
        None
        if baseline is None
        else element("line", x1=at(baseline), x2=at(baseline), y1="1", y2="17", class_="baseline"),
        element("line", x1=at(ends.low), x2=at(ends.high), y1="9", y2="9", class_="interval"),
        element("circle", cx=at(score), cy="9", r="4", class_="dot"),
        _label(5, 25, labels[0], "start"),
        _label(155, 25, labels[1], "end"),
        class_="range",
        viewBox="0 0 160 28",
        width="160",
        height="28",
        aria_hidden="true",  # the same numbers are in the next cells
    )


def histogram(values: Floats, title: str, metric: str) -> Markup:
    """Draw a histogram of document scores from 0 to 1 in ten bins: percents below, numbers of documents on the bars."""
    known = values[~np.isnan(values)]
    # 0.6 belongs to the bin that starts at 0.6, despite rounding
    counts, _ = np.histogram(np.minimum(known + 1e-9, 1), bins=BINS, range=(0, 1))
    highest = max(counts.max(initial=0), 1)
    parts = [
        element("line", x1="0", x2="320", y1="96", y2="96", class_="axis"),
        *(bar for place, count in enumerate(counts.tolist()) for bar in _bar(place, count, 76 * count / highest)),
        *(
            _label(32 * tick * 2, 109, f"{20 * tick} %", "start" if not tick else "end" if tick == 5 else "middle")
            for tick in range(6)
        ),
        _label(160, 123, f"{metric} of a document", "middle"),
        _label(0, 8, "documents", "start"),
    ]
    spoken = ", ".join(f"{count} from {10 * place} to {10 * place + 10}" for place, count in enumerate(counts.tolist()))
    figure = element(
        "svg",
        *parts,
        class_="histogram",
        viewBox="0 0 320 128",
        role="img",
        aria_label=f"Documents by {metric} in percent: {spoken}",
    )
    return element("figure", element("figcaption", title), figure)


def _bar(place: int, count: int, height: float) -> list[Markup]:
    top = 96 - height
    bar = element("rect", x=f"{32 * place + 1}", y=f"{top:.1f}", width="30", height=f"{height:.1f}", class_="bar")
    return [bar, _label(32 * place + 16, top - 3, f"{count:,}", "middle")] if count else []


def _label(x: float, y: float, text: str, anchor: str) -> Markup:
    return element("text", text, x=f"{x:g}", y=f"{y:.1f}", text_anchor=anchor)
