"""HTML: the main content of a saved web page, one document per file."""

import logging
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from keyseq.data.formats.columns import split_list
from keyseq.data.formats.encodings import decode
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.visible_text import VisibleText
from keyseq.data.formats.written_document import letters
from keyseq.data.formats.xml_trees import local
from keyseq.errors import DataError
from keyseq.imports import require
from keyseq.types import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

HEAD = 4096  # bytes in which a page must name its encoding
SMALL = 400  # characters of a page that is too small to have menus around its main part
FALLBACK = "cp1252"  # of pages that name none, as browsers do

_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_OWN_TITLE = re.compile(r"<meta[^>]+\bog:title\b", re.IGNORECASE)
_SITE = re.compile(r"\s+[|–—·»-]\s+")  # before the name of the site
_BLOCKS = frozenset(("p", "head", "list", "item", "quote", "table", "row", "cell", "lb", "div"))  # of the extractor
_MARKUP = re.compile(r"<\s*(?:!doctype|html|head|body|title|meta|p|div|h[1-6]|article|table|ul|ol|span|a|br)\b", re.I)


def read(source: CorpusSource) -> Iterator[Document]:
    """Read a page without its menus, advertisements and footers; a page without a recognisable main part, whole."""
    require("trafilatura", "files")
    return source.documents([source], _document)


def _document(source: CorpusSource) -> Document:
    html = _html(source)
    if not _MARKUP.search(html):
        raise DataError(f"{source.name}: holds no HTML; a plain text is named .txt, or read with --from txt")
    title, body, keywords = _main_part(html)
    page = VisibleText.of(html)
    title = _confirmed(title, " ".join(page.title.split()), html)
    whole = "\n\n".join(page.paragraphs)
    if not body.strip() or len(whole) < SMALL:
        title, body = title or page.heading, whole
    phrases = split_list(keywords)
    document = Document(id=source.stem, title=title, body=_without_title(body, title), keyphrases=phrases or None)
    return with_text(document, source.name)


def _html(source: CorpusSource) -> str:
    """The page as text: in the encoding that the user names, that it names itself, or that of old pages."""
    try:
        return source.text()
    except DataError:
        content = source.content()
        named = _CHARSET.search(content[:HEAD])
        if source.encoding is not None or b"\0" in content[:HEAD]:
            raise
    try:
        return content.decode(named[1].decode("ascii") if named else FALLBACK, "replace")
    except (LookupError, ValueError):
        return decode(content, source.name)


def _main_part(html: str) -> tuple[str, str, str]:
    """The title, the text and the keywords of a page, as far as they are found."""
    from trafilatura import bare_extraction

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    try:
        found: Any = bare_extraction(html, with_metadata=True, include_comments=False)
    except Exception:  # a broken page can raise anything; it is then read whole
        return "", "", ""
    if found is None:
        return "", "", ""
    return (found.title or "").strip(), "\n\n".join(_paragraphs(found.body)), ", ".join(found.tags or ())


def _paragraphs(element: "Element") -> Iterator[str]:
    """The paragraphs of the main part, whose text may have line breaks that a browser does not show."""
    pieces = [element.text or ""]
    for child in element:
        if any(local(one) in _BLOCKS for one in child.iter()):
            yield from _shown(pieces)
            pieces.clear()
            yield from _paragraphs(child)
        else:
            pieces.append("".join(child.itertext()))
        pieces.append(child.tail or "")
    yield from _shown(pieces)


def _shown(pieces: list[str]) -> list[str]:
    text = " ".join("".join(pieces).split())
    return [text] if text else []


def _confirmed(found: str, named: str, html: str) -> str:
    """The title that was found if the page's `<title>` has it too; else the latter: a heading may be one of a menu."""
    if not named or _OWN_TITLE.search(html) or (letters(found) and letters(found) in letters(named)):
        return found
    return _SITE.split(named)[0].strip()


def _without_title(body: str, title: str) -> str:
    first, _, rest = body.partition("\n\n")
    return rest if title and first.strip() == title and rest else body
