"""TEI, the XML of editions and of GROBID: one document per file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.xml_trees import blocks, inline_text, inside, local, parse
from keyseq.errors import DataError
from keyseq.types import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

ROOTS = ("TEI", "teiCorpus", "TEI.2")
PARAGRAPHS = frozenset(("p", "head", "ab", "l", "item", "sp", "quote"))
_SKIPPED = frozenset(("note", "listBibl", "figure", "table", "formula", "biblStruct", "bibl", "back", "fw"))


def read(source: CorpusSource) -> Iterator[Document]:
    """Read a text; notes, figures, the back matter and references are left out."""
    return source.documents([source], _document)


def _document(source: CorpusSource) -> Document:
    root = parse(source.content(), source.name)
    if local(root) not in ROOTS:
        raise DataError(f"{source.name}: holds no TEI; its outermost element is '{local(root)}'")
    profile = next(inside(root, "teiHeader", "profileDesc"), None)
    parts = [*inside(profile, "abstract"), *(text for text in root.iter() if local(text) == "body")]
    terms = [inline_text(one) for group in inside(profile, "textClass", "keywords") for one in _terms(group)]
    return with_text(
        Document(
            id=source.stem.removesuffix(".tei"),
            title=_title(root),
            body="\n\n".join(text for part in parts for text in _paragraphs(part)),
            keyphrases=tuple(filter(None, terms)) or None,
        ),
        source.name,
    )


def _title(root: "Element") -> str:
    titles = list(inside(root, "teiHeader", "fileDesc", "titleStmt", "title"))
    main = [title for title in titles if title.get("type") == "main"] or titles[:1]
    return " ".join(inline_text(title) for title in main)


def _terms(keywords: "Element") -> Iterator["Element"]:
    return (one for one in keywords.iter() if local(one) == "term")


def _paragraphs(element: "Element") -> Iterator[str]:
    found = list(blocks(element, PARAGRAPHS, _is_skipped))
    texts = (inline_text(one, _is_skipped) for one in found) if found else [inline_text(element, _is_skipped)]
    return filter(None, texts)


def _is_skipped(element: "Element") -> bool:
    return local(element) in _SKIPPED or (local(element) == "ref" and element.get("type") == "bibr")
