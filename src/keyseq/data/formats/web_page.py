"""HTML: the main content of a saved web page, one document per file."""

import logging
import re
from collections.abc import Iterator
from typing import Any

from keyseq.data.formats.columns import split_list
from keyseq.data.formats.encodings import decode
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.visible_text import VisibleText
from keyseq.errors import DataError
from keyseq.imports import require
from keyseq.types import Document

HEAD = 4096  # bytes in which a page must name its encoding
SMALL = 400  # characters of a page that is too small to have menus around its main part
FALLBACK = "cp1252"  # of pages that name none, as browsers do

_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
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
    whole = "\n\n".join(page.paragraphs)
    if not body.strip() or len(whole) < SMALL:
        title, body = title or " ".join(page.title.split()) or page.heading, whole
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
    paragraphs = (found.text or "").split("\n")
    return (found.title or "").strip(), "\n\n".join(filter(None, paragraphs)), ", ".join(found.tags or ())


def _without_title(body: str, title: str) -> str:
    first, _, rest = body.partition("\n\n")
    return rest if title and first.strip() == title and rest else body
