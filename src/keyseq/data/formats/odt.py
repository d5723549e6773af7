"""ODT, the documents of LibreOffice: one document per file."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from keyseq.data.formats.packages import Package, open_package
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.written_document import Paragraph, Properties, Style, to_document
from keyseq.data.formats.xml_trees import attribute, inside, local
from keyseq.errors import DataError
from keyseq.types import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

TITLES = ("title", "subtitle")
_BREAKS = {"s": " ", "tab": " ", "line-break": " "}
_SKIPPED = frozenset((
    "note", "annotation", "tracked-changes", "bibliography", "table-of-content", "alphabetical-index", "ruby-text",
    "sequence-decls", "variable-decls", "forms",
))  # fmt: skip


def read(source: CorpusSource) -> Iterator[Document]:
    """Read a document; headers, footers, footnotes, comments, indexes and references are left out."""
    return source.documents([source], _document)


def _document(source: CorpusSource) -> Document:
    with open_package(source, "ODT") as package:
        if b"encryption-data" in package.read("META-INF/manifest.xml"):
            raise DataError(f"{source.name}: encrypted; save a copy without a password")
        content = package.tree("content.xml")
        text = next(inside(content, "body", "text"), None)
        paragraphs = [] if text is None else list(_paragraphs(text, _parents(content)))
        return with_text(to_document(source.stem, paragraphs, _properties(package)), source.name)


def _parents(content: "Element") -> Mapping[str, str]:
    """The named styles that the styles of single paragraphs derive from."""
    styles = inside(content, "automatic-styles", "style")
    return {attribute(style, "name"): attribute(style, "parent-style-name") for style in styles}


def _paragraphs(parent: "Element", parents: Mapping[str, str]) -> Iterator[Paragraph]:
    """The paragraphs in their order, also in lists, sections and tables."""
    for child in parent:
        if local(child) == "h":
            yield Paragraph(Style.HEADING, _text(child))
        elif local(child) == "p":
            named = attribute(child, "style-name")
            is_title = parents.get(named, named).lower() in TITLES
            yield Paragraph(Style.TITLE if is_title else Style.TEXT, _text(child))
        elif local(child) not in _SKIPPED:
            yield from _paragraphs(child, parents)
        if child.tail and child.tail.strip():  # outside of paragraphs, where pandoc puts the abstract
            yield Paragraph(Style.TEXT, " ".join(child.tail.split()))


def _text(element: "Element") -> str:
    return " ".join("".join(_pieces(element)).split())


def _pieces(element: "Element") -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if local(child) in _BREAKS:
            yield _BREAKS[local(child)]
        elif local(child) not in _SKIPPED:
            yield from _pieces(child)
        yield child.tail or ""


def _properties(package: Package) -> Properties:
    meta = next(inside(package.optional_tree("meta.xml"), "meta"), None)
    title = next((one.text or "" for one in inside(meta, "title")), "")
    keywords = (one.text for one in inside(meta, "keyword") if one.text)
    return Properties(title=" ".join(title.split()), keywords="; ".join(keywords))
