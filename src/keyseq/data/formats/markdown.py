"""Markdown: its visible text, and the metadata of its front matter."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from keyseq.data.formats.columns import ALIASES, split_list
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.written_document import begins_references
from keyseq.types import Document

if TYPE_CHECKING:
    from markdown_it.token import Token


# front matter between two lines of dashes (YAML) or pluses (TOML) at the start, not a horizontal rule
_FRONT_MATTER = re.compile(
    r"\A(---|\+\+\+)[ \t]*\n(?=\1|[^\n]+[:=])(.*?)^(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_ABSTRACTS = ("abstract", "description", "summary")
_NOTHING = ("", "~", "null")  # in YAML
_MOST_DOTS = 200  # of a line of TOML: a key of many parts would take minutes, and gigabytes of memory
_BREAKS = {"softbreak": "\n", "hardbreak": "\n"}
_CODE = ("fence", "code_block")


def read(source: CorpusSource) -> Iterator[Document]:
    """Read one document; the title is that of the front matter, or the first heading."""
    return source.documents([source], _document)


def _document(source: CorpusSource) -> Document:
    fields, markdown = _front_matter(source.text().replace("\r\n", "\n"))
    title, body = title_and_body(markdown, _text(fields.get("title")))
    abstract = next(filter(None, (_text(fields.get(name)) for name in _ABSTRACTS)), "")
    return with_text(
        Document(
            id=source.stem,
            title=title,
            body="\n\n".join(filter(None, (abstract, body))),
            keyphrases=_keyphrases(fields),
        ),
        source.name,
    )


def _front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """The fields of the front matter by their names in lower case, and the text after it.

    What looks like front matter but cannot be parsed is text between two rules.
    """
    matter = _FRONT_MATTER.match(text)
    if matter is None:
        return {}, text
    try:
        found = _toml(matter[2]) if matter[1] == "+++" else _yaml(matter[2])
    except (ValueError, RecursionError):
        return {}, text
    fields = found if isinstance(found, dict) else {}
    return {str(name).lower(): value for name, value in fields.items()}, text[matter.end() :]


def _toml(matter: str) -> object:
    import tomllib

    if any(line.count(".") > _MOST_DOTS for line in matter.split("\n")):
        raise ValueError("a key of too many parts")
    return tomllib.loads(matter)


def _yaml(matter: str) -> object:
    """Its values as they are written: a keyword 2020, NO or 1e3 is that text, and none is computed or multiplied."""
    import yaml

    try:
        found = yaml.load(matter, yaml.BaseLoader)  # noqa: S506  # makes texts, lists and dictionaries alone
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
    return {name: value for name, value in found.items() if value not in _NOTHING} if isinstance(found, dict) else found


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _keyphrases(fields: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The keywords or tags: a list, or a text with separators."""
    value = next((fields[name] for name in ALIASES["keyphrases"] if name in fields), None)
    if isinstance(value, list):
        return tuple(filter(None, (_text(_spelled(phrase)) for phrase in value)))
    return split_list(value) if isinstance(value, str) else None


def _spelled(value: object) -> str:
    """A keyphrase, or a number as text; no list, which may hold itself a million times, and no number of any length."""
    is_long = isinstance(value, int) and value.bit_length() > 64
    return "" if is_long or isinstance(value, list | dict) else str(value)


def title_and_body(markdown: str, title: str = "") -> tuple[str, str]:
    """The title, by default the first heading, and all other visible text but the list of references.

    Comments and HTML tags are dropped.
    """
    from markdown_it import MarkdownIt

    body, among_references = [], False
    for is_heading, shown in _blocks(MarkdownIt("commonmark").enable("table").parse(markdown)):
        if is_heading:
            among_references = begins_references(shown)
        if is_heading and title in ("", shown):
            title = shown
        elif not among_references:
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
