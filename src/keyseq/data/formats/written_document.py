"""The parts of a document as a word processor writes it: paragraphs of styles."""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from keyseq.data.formats.columns import split_list
from keyseq.types import Document

KEYWORDS = re.compile(
    r"(?:key\s?-?words?(?:\s+and\s+phrases)?|index\s+terms|general\s+terms|schl(?:ü|ue)sselw(?:ö|oe)rter"
    r"|schlagw(?:ö|oe)rter|mots[- ]cl[ée]s|palabras\s+clave|palavras[- ]chave|parole\s+chiave|trefwoorden)"
    r"(?:\s*[.:—–-]+\s*|$)",
    re.IGNORECASE,
)
ABSTRACT = re.compile(
    r"(?:abstract|summary|abstrakt|zusammenfassung|résumé|resumen|resumo|riassunto|sommario|samenvatting)"
    r"(?:\s*[.:—–-]+\s*|$|\s+(?=(?:an?|as|for|in|it|our|the|these|this|to|we|with|das|der|die|diese[rs]?|wir|ces?|cette"
    r"|en|les?|la|nous|el|est[ae]|il|lo|questo)\b))",
    re.IGNORECASE,
)
LONGEST_LIST = 500  # characters of a list of keywords in one paragraph
LONGEST_NAMES = 200  # characters of a paragraph of names or addresses before the abstract

_REFERENCES = frozenset((
    "references", "bibliography", "literaturecited", "workscited", "referencesandnotes", "literatur",
    "literaturverzeichnis", "références", "bibliographie", "referencias", "bibliografía", "referências", "bibliografia",
    "riferimenti", "literatuur",
))  # fmt: skip
_NOT_LETTERS = re.compile(r"[\W\d_]+")


class Style(Enum):
    """What a paragraph is."""

    TITLE = "title"
    HEADING = "heading"
    TEXT = "text"


class Paragraph(NamedTuple):
    """A paragraph and its kind, by its style."""

    style: Style
    text: str


class Properties(NamedTuple):
    """The metadata of a file."""

    title: str = ""
    keywords: str = ""


def letters(text: str) -> str:
    """The letters of a text alone, as headings are spaced and numbered in many ways: `A B S T R A C T`."""
    return _NOT_LETTERS.sub("", text).lower()


def begins_references(heading: str) -> bool:
    """Whether a heading is that of the references."""
    return letters(heading) in _REFERENCES


def to_document(id: str, paragraphs: Iterable[Paragraph], properties: Properties) -> Document:
    """The document of paragraphs: title, text without references, and keywords.

    The title is what is styled as one, or what the properties say, or a heading that everything begins with.
    """
    shown = list(_without_references(one for one in paragraphs if one.text))
    lists = [one for one in shown if _is_list(one)]
    shown = [one for one in shown if one not in lists]
    title = " ".join(one.text for one in shown if one.style is Style.TITLE) or properties.title
    if not title and shown and shown[0].style is Style.HEADING:
        title = shown.pop(0).text
    listed = "; ".join(KEYWORDS.sub("", one.text, count=1) for one in lists) or properties.keywords
    shown = [one for one in shown if one.style is not Style.TITLE]
    body = _from_abstract(shown) if title else [one.text for one in shown]
    return Document(id=id, title=title, body="\n\n".join(body), keyphrases=split_list(listed.strip(" .")) or None)


def _is_list(paragraph: Paragraph) -> bool:
    found = KEYWORDS.match(paragraph.text)
    return found is not None and found.end() < len(paragraph.text) <= LONGEST_LIST


def _from_abstract(paragraphs: list[Paragraph]) -> list[str]:
    """The text from the abstract on, if one is marked as such and nothing but names and addresses stands before it."""
    texts = [one.text for one in paragraphs]
    for place, (style, text) in enumerate(paragraphs):
        mark = ABSTRACT.match(text)
        if mark is not None:
            return [*filter(None, [text[mark.end() :]]), *texts[place + 1 :]]
        if style is Style.HEADING or len(text) > LONGEST_NAMES or text.endswith((".", "!", "?", ":")):
            break
    return texts


def _without_references(paragraphs: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """Leave out what stands below the heading of references, up to the next heading."""
    among = False
    for paragraph in paragraphs:
        if paragraph.style is Style.HEADING:
            among = begins_references(paragraph.text)
        if not among:
            yield paragraph
