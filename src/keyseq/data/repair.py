"""Repair texts: wrong encodings, HTML and LaTeX markup. The words are kept."""

import html.entities
import re
from functools import cache
from typing import Any

from keyseq.data.formats.latex import to_text
from keyseq.imports import require

_ENTITY = re.compile(r"( ?)&(\s?)(#?)(x[0-9a-fA-F]{2,6}|\d{2,7}|[A-Za-z][A-Za-z0-9]{1,23});")
_HEXADECIMAL = re.compile(r"x[0-9a-fA-F]{2,6}")  # without its #
_BRACKET_NAMES = frozenset(("drangbrac", "dlangbrac"))  # entities of a database around translated titles
# entity names that are also words: "male & female;" is a list, not an entity
_WORDS = frozenset((
    "and", "because", "cap", "check", "copy", "cross", "cup", "die", "female", "fork", "image", "in", "int", "it",
    "male", "models", "natural", "not", "or", "order", "part", "phone", "real", "ring", "sharp", "square", "star",
    "sub", "sum", "sup", "therefore", "top",
))  # fmt: skip

_WITHIN_A_WORD = "sub|sup|inf|i|b|u|em|strong|span|font|italic|bold|sc|tt|small|big|jats:(?:italic|bold|sub|sup|sc)"
_BETWEEN_WORDS = "p|br|div|li|ul|ol|h[1-6]|sec|title|jats:(?:p|sec|title)"
_ATTRIBUTES = r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))*\s*/?"
_INLINE_TAG = re.compile(rf"</?(?:{_WITHIN_A_WORD}){_ATTRIBUTES}>", re.IGNORECASE)
_BLOCK_TAG = re.compile(rf"</?(?:{_BETWEEN_WORDS}){_ATTRIBUTES}>", re.IGNORECASE)

_STYLED = re.compile(
    r"\\(?:emph|text(?:it|bf|tt|sc|sf|rm|sl|up|md|normal)?|underline|uline|mbox|mathrm|url)\s*\{([^{}]*)\}"
)
_GROUP = re.compile(r"\{\\(?:em|it|bf|sc|tt|sl|sf|rm)\b\s*+([^{}]*)\}")
_REFERENCE = re.compile(r"~?\\(?:cite[a-z]*|ref|label|eqref)\*?(?:\[[^\]]{0,200}\]){0,3}\{[^{}]*\}")
_ACCENT = re.compile(r"\{?\\(?:[\"'`^~=.]\s?\{?\\?[A-Za-z]\}?|[cHkruv]\{[A-Za-z]\})\}?")
_FORMULA = re.compile(r"(?<!\\)\$(?=\S)[^$\n]{1,200}(?<![\\\s])\$|\\\([^$\n]{1,200}?\\\)")
_FENCED = re.compile(r"\\([A-Za-z][\w+-]*)\\(?!\w)")  # \DNA\: a reference manager's lost braces
_ESCAPED = re.compile(r"\\([%&$#_{}])")


def repaired(text: str) -> str:
    """The text with encoding errors repaired."""
    return text if text.isascii() else str(_ftfy().fix_text(text, _settings()))


def plain(text: str) -> str:
    """The text without HTML and LaTeX markup, with single spaces; formulas are converted to plain characters."""
    if "&" in text:
        text = _ENTITY.sub(_character, text)
    if "<" in text:
        text = _BLOCK_TAG.sub(" ", _INLINE_TAG.sub("", text))
    if "\\" in text:
        text = _without_latex(text)
    return " ".join(text.split())


def _character(entity: re.Match[str]) -> str:
    """The character of an entity, without the spaces that some databases put around it."""
    before, within, number, name = entity.groups()
    if within and name in _WORDS:
        return entity[0]
    meant = _numbered(name) if number or _HEXADECIMAL.fullmatch(name) else _named(name)
    if meant is None:
        return entity[0]
    joined = bool(within) and ((meant.islower() and "ß" <= meant < "ɐ") or meant in "¹²³")
    return meant if joined else before + meant


def _named(name: str) -> str | None:
    if name.lower() in _BRACKET_NAMES:
        return ""
    return html.entities.html5.get(f"{name};") or html.entities.html5.get(f"{name.lower()};")


def _numbered(number: str) -> str | None:
    code = int(number[1:], 16) if number[0] in "xX" else int(number) if number.isdecimal() else 0
    return chr(code) if 0 < code <= 0x10FFFF and (chr(code).isprintable() or chr(code).isspace()) else None


def _without_latex(text: str) -> str:
    text = _FORMULA.sub(_read_out, _FENCED.sub(r"\1", _REFERENCE.sub("", text)))
    before = ""
    while before != text:  # from the inside out: \textbf{\emph{…}}
        before, text = text, _GROUP.sub(r"\1", _STYLED.sub(r"\1", text))
    text = _ACCENT.sub(lambda accent: to_text(accent[0]), text)
    return _ESCAPED.sub(r"\1", text)


def _read_out(formula: re.Match[str]) -> str:
    """A formula in plain characters; two prices are not a formula, and one that cannot be parsed is kept."""
    if "\\" not in formula[0]:
        return formula[0]
    bare = _STYLED.sub(r"\1", formula[0].strip("$"))
    if "\\" not in bare:
        return bare
    try:
        return " ".join(str(_formulas().latex_to_text(formula[0])).split()) or formula[0]
    except Exception:  # the decoder fails on odd markup in many ways
        return formula[0]


@cache
def _formulas() -> Any:  # pylatexenc has no types
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text(math_mode="text")


@cache
def _ftfy() -> Any:  # a module
    return require("ftfy", "clean")


@cache
def _settings() -> Any:
    """ftfy's settings: repair encoding errors only, and keep quotation marks and entities."""
    return _ftfy().TextFixerConfig(uncurl_quotes=False, unescape_html=False, explain=False)
