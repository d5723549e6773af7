"""Text in BibTeX's fields, which is LaTeX, and back."""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

# a per cent sign is a comment in LaTeX and an ampersand a border of cells; in a library both mean themselves
_MEANT = re.compile(r"(?<!\\)[%&]")
_MARKUP = re.compile(r"[\\{}$~]|--|``|''")

_SPECIAL = {
    **{character: f"\\{character}" for character in "%&$#_"},
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # BibTeX counts braces, even those after a backslash
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_ESCAPED = re.compile("[" + re.escape("".join(_SPECIAL)) + "]")
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=[`?!])(?=`)")


def to_text(latex: str) -> str:
    """Decode accents and marks, drop braces and markup, keep formulas; white space becomes single spaces."""
    if _MARKUP.search(latex):
        latex = _decoder().latex_to_text(_MEANT.sub(r"\\\g<0>", latex))
    return " ".join(latex.split())


def to_latex(text: str) -> str:
    """Escape what LaTeX or BibTeX would read as more than the characters themselves."""
    escaped = _ESCAPED.sub(lambda match: _SPECIAL[match[0]], text)
    return _LIGATURE.sub("{}", escaped)


@cache
def _decoder() -> "LatexNodes2Text":
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    context = get_default_latex_context_db()
    meanings = {"textbraceleft": "{", "textbraceright": "}", "textasciicircum": "^", "url": "%s"}
    macros = [MacroTextSpec(macro, simplify_repl=text) for macro, text in meanings.items()]
    context.add_context_category("keyseq", prepend=True, macros=macros)
    return LatexNodes2Text(latex_context=context, math_mode="verbatim")
