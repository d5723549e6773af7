"""Convert LaTeX in BibTeX fields to text, and back."""

import logging
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

# in LaTeX % starts a comment and & separates cells; in a library both are literal
_MEANT = re.compile(r"(?<!\\)[%&]")
_MARKUP = re.compile(r"[\\{}$~]|--|``|''")
_SPANNING = re.compile(r"(?<!\\)\$|\\begin\b|\\[(\[]")  # formulas and environments go over many words
_OPEN, _CLOSED = re.compile(r"(?<!\\)\{"), re.compile(r"(?<!\\)\}")
_WANTS_MORE = re.compile(r"\\(?:[a-zA-Z]+|[^a-zA-Z])$")  # a macro whose argument is the next word

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
        meant = _MEANT.sub(r"\\\g<0>", latex)
        words = [meant] if _SPANNING.search(meant) else _words(meant)
        latex = " ".join(_decoded(word) if _MARKUP.search(word) else word for word in words)
    return " ".join(latex.split())


def _words(latex: str) -> Iterator[str]:
    """Split at spaces between independent LaTeX expressions: most words need no decoding, which is slow."""
    held: list[str] = []
    depth = 0
    for word in latex.split():
        held.append(word)
        if "{" in word or "}" in word:
            depth += len(_OPEN.findall(word)) - len(_CLOSED.findall(word))
        if depth <= 0 and not ("\\" in word and _WANTS_MORE.search(word)):
            yield " ".join(held)
            held, depth = [], 0
    yield " ".join(held)


@lru_cache(maxsize=10_000)
def _decoded(latex: str) -> str:
    try:
        return str(_decoder().latex_to_text(latex))
    except Exception:  # markup that the decoder fails on is kept as text
        return latex


def to_latex(text: str) -> str:
    """Escape the special characters of LaTeX and BibTeX."""
    escaped = _ESCAPED.sub(lambda match: _SPECIAL[match[0]], text)
    return _LIGATURE.sub("{}", escaped)


@cache
def _decoder() -> "LatexNodes2Text":
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    context = get_default_latex_context_db()
    meanings = {"textbraceleft": "{", "textbraceright": "}", "textasciicircum": "^"}
    macros = [MacroTextSpec(macro, simplify_repl=text) for macro, text in meanings.items()]
    context.add_context_category("keyseq", prepend=True, macros=[*macros, MacroTextSpec("url", discard=False)])
    logging.getLogger("pylatexenc").addHandler(logging.NullHandler())
    return LatexNodes2Text(latex_context=context, math_mode="verbatim")
