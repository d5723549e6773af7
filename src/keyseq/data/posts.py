"""Questions of a Stack Exchange site as documents: title and text, tags as keyphrases."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from keyseq.data.formats.visible_text import WITHIN_A_LINE
from keyseq.errors import DataError
from keyseq.imports import require
from keyseq.types import Document

QUESTION = "1"

# Limits far above any real dump: a post has at most 30,000 characters before rendering.
LONGEST_POST = 16 * 2**20
LONGEST_BODY = 250_000
DEEPEST = 16

_TAG_MARKS = re.compile(r"[<>|]+")  # <java><event-handling> until 2023, |java|event-handling| since
_NEVER_SHOWN = frozenset(("script", "style"))


def read_questions(chunks: Iterable[bytes], site: str, place: Path, counts: Counter[str]) -> Iterator[Document]:
    """Yield the questions of a `Posts.xml` that have a title, a text and a valid tag; count posts and the rest."""
    for post in _questions(chunks, place, counts):
        document = _document(post, site)
        if not document.keyphrases:
            counts["no valid tag"] += 1
        elif not document.title:
            counts["no title"] += 1
        elif not document.body:
            counts["no text"] += 1
        else:
            yield document


def tag_phrases(tags: str) -> tuple[str, ...]:
    """Convert tags to phrases: `<event-handling>` is "event handling"; `c++`, `.net` and `node.js` are kept.

    A tag without a letter or digit is invalid and dropped.
    """
    phrases = (" ".join(tag.replace("-", " ").split()) for tag in _TAG_MARKS.split(tags))
    return tuple(dict.fromkeys(phrase for phrase in phrases if any(map(str.isalnum, phrase))))


def html_text(html: str) -> str:
    """The text of a piece of HTML, code included, with single spaces. Broken HTML is read as a browser would."""
    etree, parser = _html_parser()
    return str(etree.fromstring(html[:LONGEST_BODY].encode("utf-8", "replace"), parser))


def _document(post: AttributesImpl, site: str) -> Document:
    return Document(
        id=f"{site}-{post.get('Id', '')}",
        title=" ".join(post.get("Title", "").split()),
        body=html_text(post.get("Body", "")),
        keyphrases=tag_phrases(post.get("Tags", "")),
    )


def _questions(chunks: Iterable[bytes], place: Path, counts: Counter[str]) -> Iterator[AttributesImpl]:
    """Parse the XML incrementally. Without a document type there are no entities to expand or fetch."""
    from defusedxml import DefusedXmlException
    from defusedxml.expatreader import DefusedExpatParser

    posts = _Posts(place)
    parser = DefusedExpatParser(forbid_dtd=True)
    parser.setContentHandler(posts)
    try:
        parser.feed(b"")  # so that the parser also reports an empty file
        for chunk in chunks:
            parser.feed(chunk)
            posts.check_length(len(chunk))
            yield from posts.questions
            posts.questions.clear()
        parser.close()
    except DefusedXmlException:
        raise DataError(f"{place}: refused: it declares a document type or entities, which no dump has") from None
    except SAXParseException as error:
        raise DataError(f"{place}:{error.getLineNumber()}: is not well-formed XML ({error.getMessage()})") from None
    finally:
        counts["posts"] += posts.count


class _Posts(ContentHandler):
    """Collects the questions among the rows, and refuses other XML."""

    def __init__(self, place: Path) -> None:
        super().__init__()
        self.questions: list[AttributesImpl] = []
        self.count = 0
        self._place = place
        self._depth = 0
        self._counted, self._waited = 0, 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802  # SAX's name
        self._depth += 1
        if self._depth == 1 and name != "posts":
            raise DataError(f"{self._place}: not a Posts.xml: its root is <{name[:40]}> where <posts> is expected")
        if self._depth > DEEPEST:
            raise DataError(f"{self._place}: refused: elements nested more than {DEEPEST} deep, which no dump has")
        if name == "row":
            self.count += 1
            if attrs.get("PostTypeId") == QUESTION:
                self.questions.append(attrs)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802  # SAX's name
        self._depth -= 1

    def check_length(self, read: int) -> None:
        """Refuse an endless post: the parser would hold it in memory."""
        self._waited = self._waited + read if self.count == self._counted else 0
        self._counted = self.count
        if self._waited > LONGEST_POST:
            raise DataError(f"{self._place}: refused: a post of more than {LONGEST_POST:,} bytes, which no dump has")


@cache
def _html_parser() -> tuple[Any, Any]:
    """lxml and its HTML parser, which drives `_MarkupText`: a tree would be slower and lose text below some depth."""
    etree = require("lxml.etree", "stackexchange")
    return etree, etree.HTMLParser(target=_MarkupText(), encoding="utf-8", huge_tree=True)


class _MarkupText:
    """Collects the text between tags; lxml calls it for each tag and piece of text, and `close` at the end."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._hidden = 0

    def start(self, tag: str, _attributes: object) -> None:
        self._space_around(tag)
        self._hidden += tag in _NEVER_SHOWN

    def end(self, tag: str) -> None:
        self._space_around(tag)
        self._hidden -= tag in _NEVER_SHOWN

    def _space_around(self, tag: str) -> None:
        """A paragraph, a list item or a line break separates words; emphasis does not."""
        if tag not in WITHIN_A_LINE:
            self._pieces.append(" ")

    def data(self, text: str) -> None:
        if not self._hidden:
            self._pieces.append(text)

    def close(self) -> str:
        pieces, self._pieces, self._hidden = self._pieces, [], 0
        return " ".join("".join(pieces).split())
