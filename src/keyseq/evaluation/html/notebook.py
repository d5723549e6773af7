"""What a notebook shows of phrases and scores: fragments of HTML with their style inline, readable in any theme."""

from collections.abc import Sequence

from keyseq.evaluation.html.markup import Markup, element, join
from keyseq.predictions.reasons import concept_reasons, reasons
from keyseq.tables import NOTHING, Cell, columns_of_numbers
from keyseq.types import Document, Phrase

LONGEST = 4_000  # characters of a text that are shown
MARK = "background:#ffe08a;color:#222;border-radius:3px;padding:0 2px"
QUIET = "opacity:.65;font-size:90%"
BAR = 60  # pixels of a score of 1


def phrases_fragment(document: Document, phrases: Sequence[Phrase]) -> Markup:
    """A text with its phrases highlighted, and the phrases with their scores and evidence."""
    text = document.text
    rest = element("span", " …", style=QUIET) if len(text) > LONGEST else None
    shown = element("div", highlighted(text[:LONGEST], phrases), rest, style="white-space:pre-wrap;max-width:60em")
    if not phrases:
        return element("div", shown, element("p", "no keyphrases", style=QUIET))
    return element("div", shown, element("table", *map(_row, phrases), style="margin-top:.8em"))


def highlighted(text: str, phrases: Sequence[Phrase]) -> Markup:
    """A text with the spans of phrases marked; where spans overlap, they are one mark."""
    pieces: list[object] = []
    done = 0
    for start, end in _merged([span for phrase in phrases for span in phrase.spans]):
        if start >= len(text):
            break
        pieces += [text[done:start], element("mark", text[start:end], style=MARK)]
        done = end
    return join(*pieces, text[done:])


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _row(phrase: Phrase) -> Markup:
    told = [] if phrase.present else ["not in the text"]
    if phrase.evidence is not None:
        told += [*concept_reasons(phrase), *reasons(phrase.evidence)]
    width = f"display:inline-block;height:.7em;width:{BAR * phrase.score:.0f}px;background:currentColor;opacity:.5"
    return element(
        "tr",
        _cell(element("b" if phrase.present else "i", phrase.text)),
        _cell(element("span", f"{phrase.score:.2f} ", element("span", style=width), style="white-space:nowrap")),
        _cell(element("span", " · ".join(told), style=QUIET)),
    )


def _cell(*children: object) -> Markup:
    return element("td", *children, style="text-align:left")


def table_fragment(headers: Sequence[str], rows: Sequence[Sequence[Cell]], notes: Sequence[str] = ()) -> Markup:
    """A table with notes below it, such as signatures."""
    cells = [[NOTHING if cell is None else str(cell) for cell in row] for row in rows]
    styles = [f"text-align:{'right' if one else 'left'}" for one in columns_of_numbers(cells, len(headers))]
    head, *body = (
        element("tr", *(element(tag, cell, style=style) for cell, style in zip(row, styles, strict=True)))
        for tag, row in (("th", headers), *(("td", row) for row in cells))
    )
    below = [element("div", note, style=f"{QUIET};font-family:monospace") for note in notes]
    return element("div", element("table", element("thead", head), element("tbody", *body)), *below)
