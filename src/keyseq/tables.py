"""A table as aligned text, Markdown or LaTeX."""

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from pylatexenc.latexencode import UnicodeToLatexEncoder

Cell = str | int | float | None

NOTHING = "–"

_NUMBER = re.compile(rf"{NOTHING}|[+−-]?[\d,]*+(?:(?<=\d)|\.\d+)(e[+-]?\d+)?( ?%)?( ?[±(\[].*)?[*†‡]*", re.IGNORECASE)


def render(headers: Sequence[str], rows: Sequence[Sequence[Cell]], format: str = "text") -> str:
    """Render a table as `text`, `markdown` or `latex` (booktabs), ending in a newline.

    Integers get thousands separators and None is shown as –. Scores are passed as formatted text. Columns of numbers
    are right-aligned.
    """
    if format not in LAYOUTS:
        raise KeyseqError(f"unknown table format '{format}'; choose one of {', '.join(LAYOUTS)}")
    cells = [[_shown(cell) for cell in row] for row in rows]
    for row in cells:
        if len(row) != len(headers):
            raise ValueError(f"a row of {len(row)} cells under {len(headers)} headers: {row}")
    return LAYOUTS[format]([_shown(header) for header in headers], cells, columns_of_numbers(cells, len(headers)))


def columns_of_numbers(cells: Sequence[Sequence[str]], columns: int) -> list[bool]:
    """Which columns hold nothing but numbers, and are right-aligned."""
    return [bool(cells) and all(_NUMBER.fullmatch(row[column]) for row in cells) for column in range(columns)]


def escape_latex(text: str) -> str:
    """Escape a text for LaTeX."""
    return str(_latex_encoder().unicode_to_latex(text))


@cache
def _latex_encoder() -> "UnicodeToLatexEncoder":
    from pylatexenc.latexencode import UnicodeToLatexEncoder

    return UnicodeToLatexEncoder(
        replacement_latex_protection="braces-after-macro", unknown_char_policy="keep", unknown_char_warning=False
    )


def _shown(cell: Cell) -> str:
    if cell is None:
        return NOTHING
    return f"{cell:,}" if isinstance(cell, int) else " ".join(str(cell).split())


def _text(headers: list[str], rows: list[list[str]], right: list[bool]) -> str:
    widths = _widths([headers, *rows])
    rule = ["-" * width for width in widths]
    return "".join(f"{'  '.join(_padded(row, widths, right)).rstrip()}\n" for row in [headers, rule, *rows])


def _markdown(headers: list[str], rows: list[list[str]], right: list[bool]) -> str:
    lines = [[cell.replace("|", r"\|") for cell in line] for line in [headers, *rows]]
    widths = [max(3, width) for width in _widths(lines)]
    rule = [f"{'-' * (width - 1)}{':' if aligned else '-'}" for width, aligned in zip(widths, right, strict=True)]
    padded = [_padded(line, widths, right) for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in [padded[0], rule, *padded[1:]])


def _latex(headers: list[str], rows: list[list[str]], right: list[bool]) -> str:
    head, *body = map(_latex_row, [headers, *rows])
    columns = "".join("r" if aligned else "l" for aligned in right)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
    return "\n".join([*lines, r"\end{tabular}", ""])


def _latex_row(cells: list[str]) -> str:
    row = " & ".join(map(escape_latex, cells))
    # after \\, a leading [ or * would be parsed as an option
    return f"{'{}' if row.startswith(('[', '*')) else ''}{row} \\\\"


LAYOUTS = {"text": _text, "markdown": _markdown, "latex": _latex}


def _widths(lines: list[list[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*lines, strict=True)]


def _padded(line: list[str], widths: list[int], right: list[bool]) -> list[str]:
    return [
        cell.rjust(width) if aligned else cell.ljust(width)
        for cell, width, aligned in zip(line, widths, right, strict=True)
    ]
