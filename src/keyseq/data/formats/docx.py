"""DOCX, the documents of Word: one document per file."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from keyseq.data.formats.packages import Package, open_package
from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.written_document import Paragraph, Properties, Style, to_document
from keyseq.data.formats.xml_trees import attribute, inside, local
from keyseq.types import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

STYLES = {"title": Style.TITLE, "subtitle": Style.TITLE}
_BREAKS = {"tab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-"}
# what is not shown, or shown a second time: formatting, deletions, the copy of a drawing for old versions
_SKIPPED = frozenset(("pPr", "rPr", "del", "moveFrom", "Fallback", "instrText", "delText"))


def read(source: CorpusSource) -> Iterator[Document]:
    """Read a document; headers, footers, footnotes, comments, deleted text and references are left out."""
    return source.documents([source], _document)


def _document(source: CorpusSource) -> Document:
    with open_package(source, "DOCX") as package:
        styles = _styles(package)
        body = next(inside(package.tree("word/document.xml"), "body"), None)
        paragraphs = [] if body is None else list(_paragraphs(body, styles))
        return with_text(to_document(source.stem, paragraphs, _properties(package)), source.name)


def _styles(package: Package) -> Mapping[str, str]:
    """The names of styles, which are English, by their ids, which are translated."""
    styles = inside(package.optional_tree("word/styles.xml"), "style")
    named = {attribute(style, "styleId"): next(inside(style, "name"), None) for style in styles}
    return {key: attribute(name, "val").lower() for key, name in named.items() if name is not None}


def _paragraphs(parent: "Element", styles: Mapping[str, str]) -> Iterator[Paragraph]:
    """The paragraphs in their order, also in tables and text boxes."""
    for child in parent:
        if local(child) in _SKIPPED:
            continue
        if local(child) == "p":
            name = styles.get(_style(child), "")
            if name != "bibliography" and not name.startswith("toc"):
                style = Style.HEADING if name.startswith("heading") else STYLES.get(name, Style.TEXT)
                yield Paragraph(style, " ".join("".join(_text(child)).split()))
        yield from _paragraphs(child, styles)


def _style(paragraph: "Element") -> str:
    return next((attribute(style, "val") for style in inside(paragraph, "pPr", "pStyle")), "")


def _text(element: "Element") -> Iterator[str]:
    """The text of a paragraph, without that of paragraphs in a text box inside it."""
    for child in element:
        name = local(child)
        if name == "t":
            yield child.text or ""
        elif name in _BREAKS:
            yield _BREAKS[name]
        elif name not in _SKIPPED and name != "p":
            yield from _text(child)


def _properties(package: Package) -> Properties:
    core = package.optional_tree("docProps/core.xml")
    title, keywords = (next((one.text or "" for one in inside(core, name)), "") for name in ("title", "keywords"))
    return Properties(title=" ".join(title.split()), keywords=keywords)
