"""EPUB: a book is one document."""

import posixpath
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import unquote

from keyseq.data.formats.packages import Package, open_package
from keyseq.data.formats.source import LARGEST, CorpusSource, with_text
from keyseq.data.formats.visible_text import VisibleText
from keyseq.data.formats.xml_trees import attribute, inside
from keyseq.errors import DataError
from keyseq.types import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

CONTAINER, ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
PAGES = ("application/xhtml+xml", "text/html")


def read(source: CorpusSource) -> Iterator[Document]:
    """Read a book: its title, its subjects as keyphrases, and the text of its chapters in their order."""
    return source.documents([source], _document)


def _document(source: CorpusSource) -> Document:
    with open_package(source, "EPUB") as package:
        path = next((attribute(one, "full-path") for one in _rootfiles(package)), "")
        book = package.tree(path)
        if any(name in _encrypted(package) for name in _chapters(book, path)):
            raise DataError(f"{source.name}: is protected against copying (DRM), so that its text cannot be read")
        title = next(_metadata(book, "title"), "")
        return with_text(
            Document(
                id=source.stem,
                title=title,
                body="\n\n".join(_without(title, _paragraphs(package, _chapters(book, path)))),
                keyphrases=tuple(_metadata(book, "subject")) or None,
            ),
            source.name,
        )


def _rootfiles(package: Package) -> Iterator["Element"]:
    return inside(package.tree(CONTAINER), "rootfiles", "rootfile")


def _metadata(book: "Element", name: str) -> Iterator[str]:
    return (" ".join(one.text.split()) for one in inside(book, "metadata", name) if one.text and one.text.strip())


def _chapters(book: "Element", path: str) -> list[str]:
    """The names of the chapters in the order of reading, without the table of contents."""
    items = {attribute(item, "id"): item for item in inside(book, "manifest", "item")}
    folder = posixpath.dirname(path)
    return [
        posixpath.normpath(posixpath.join(folder, unquote(attribute(item, "href"))))
        for place in inside(book, "spine", "itemref")
        if (item := items.get(attribute(place, "idref"))) is not None
        and attribute(item, "media-type") in PAGES
        and "nav" not in attribute(item, "properties").split()
        and attribute(place, "linear") != "no"
    ]


def _without(title: str, paragraphs: Iterator[str]) -> Iterator[str]:
    """The paragraphs without the title page's, which begins with the title."""
    first = next(paragraphs, "")
    return paragraphs if first == title else chain([first], paragraphs)


def _encrypted(package: Package) -> set[str]:
    """The names of encrypted files; fonts often are, in books that anyone may read."""
    entries = inside(package.optional_tree(ENCRYPTION), "EncryptedData", "CipherData", "CipherReference")
    return {unquote(attribute(entry, "URI")) for entry in entries}


def _paragraphs(package: Package, chapters: list[str]) -> Iterator[str]:
    size = 0
    for name in chapters:
        content = package.read(name)
        size += len(content)
        if size >= LARGEST:
            raise DataError(f"{package.name}: over {LARGEST >> 20} MiB, more than the limit")
        yield from VisibleText.of(content.decode("utf-8", "replace")).paragraphs
