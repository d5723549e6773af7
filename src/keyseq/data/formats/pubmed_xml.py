"""The XML of PubMed, as its programs for downloading give it: title, abstract and keywords of each citation."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.xml_trees import inline_text, inside, local, parse
from keyseq.types import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

ROOTS = ("PubmedArticleSet", "PubmedArticle")


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the citations of articles."""
    root = parse(source.content(), source.name)
    citations = (one for one in root.iter() if local(one) == "MedlineCitation")
    return source.documents(enumerate(citations, start=1), lambda one: _document(source, *one))


def _document(source: CorpusSource, number: int, citation: "Element") -> Document:
    article = next(inside(citation, "Article"), None)
    keywords = [inline_text(one) for one in inside(citation, "KeywordList", "Keyword")]
    return with_text(
        Document(
            id=" ".join(map(inline_text, inside(citation, "PMID"))) or str(number),
            title=" ".join(map(inline_text, inside(article, "ArticleTitle"))),
            body=" ".join(filter(None, map(inline_text, inside(article, "Abstract", "AbstractText")))),
            keyphrases=tuple(filter(None, keywords)) or None,
        ),
        f"{source.name}: citation {number}",
    )
