"""Convert Markdown to its visible text."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

# front matter between two lines of dashes (YAML) or pluses (TOML) at the start, not a horizontal rule
_FRONT_MATTER = re.compile(
    r"\A(---|\+\+\+)[ \t]*\n(?=\1|[^\n]+[:=]).*?^(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_BREAKS = {"softbreak": "\n", "hardbreak": "\n"}
_CODE = ("fence", "code_block")


def title_and_body(markdown: str) -> tuple[str, str]:
    """The first heading, and all other visible text; front matter, comments and HTML tags are dropped."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(_FRONT_MATTER.sub("", markdown))
    title, body = "", []
    for is_heading, shown in _blocks(tokens):
        if is_heading and not title:
            title = shown
        else:
            body.append(shown)
    return title, "\n\n".join(body)


def _blocks(tokens: "list[Token]") -> Iterator[tuple[bool, str]]:
    """Yield the visible text of each block, and whether it is a heading."""
    is_heading = False
    for token in tokens:
        if token.nesting:
            is_heading = token.type == "heading_open"
        shown = token.content.rstrip("\n") if token.type in _CODE else _inline(token.children or [])
        if shown.strip():
            yield is_heading, shown


def _inline(tokens: "list[Token]") -> str:
    shown = ("text", "code_inline", "image")
    return "".join(_BREAKS.get(token.type, token.content if token.type in shown else "") for token in tokens)
