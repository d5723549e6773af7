"""JATS, the XML of journal articles (PubMed Central, publishers): one article per file, or several in a set."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.written_document import begins_references
from keyseq.data.formats.xml_trees import blocks, inline_text, inside, local, parse
from keyseq.errors import DataError
from keyseq.types import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

ROOTS = ("article", "pmc-articleset", "articles")
PARAGRAPHS = frozenset(("p", "title", "list-item", "disp-quote", "verse-line", "speech"))
# graphical abstracts and summaries for the cover are not abstracts
ABSTRACTS = ("", "summary", "structured", "executive-summary", "research-summary")
KEYWORDS = ("", "author", "author-keywords", "keywords", "kwd", "author-generated")

_SKIPPED = frozenset(("ref-list", "table-wrap", "fig", "fn", "fn-group", "tex-math", "disp-formula", "label"))


def read(source: CorpusSource) -> Iterator[Document]:
    """Read the articles of a file; references, tables, figures and footnotes are left out."""
    root = parse(source.content(), source.name)
    articles = [root] if local(root) == "article" else [one for one in root.iter() if local(one) == "article"]
    if not articles:
        raise DataError(f"{source.name}: holds no JATS article; its outermost element is '{local(root)}'")
    alone = len(articles) == 1
    return source.documents(
        enumerate(articles, start=1), lambda one: _document(source, one[1], "" if alone else str(one[0]))
    )


def _document(source: CorpusSource, article: "Element", number: str) -> Document:
    """The document of an article; `number` is its place in a set."""
    meta = next(inside(article, "front", "article-meta"), None)
    abstracts = [one for one in inside(meta, "abstract") if one.get("abstract-type", "") in ABSTRACTS]
    bodies = [*abstracts, *inside(article, "body")]
    return with_text(
        Document(
            id=(_id(meta) or number) if number else source.stem,
            title=" ".join(_text(one) for one in inside(meta, "title-group", "article-title")),
            body="\n\n".join(text for body in bodies for text in _paragraphs(body)),
            keyphrases=_keywords(meta),
        ),
        f"{source.name}: article {number}" if number else source.name,
    )


def _id(meta: "Element | None") -> str:
    known = {one.get("pub-id-type"): " ".join((one.text or "").split()) for one in inside(meta, "article-id")}
    return next((known[kind] for kind in ("pmcid", "pmc", "pmid", "doi") if known.get(kind)), "")


def _keywords(meta: "Element | None") -> tuple[str, ...] | None:
    groups = [one for one in inside(meta, "kwd-group") if one.get("kwd-group-type", "") in KEYWORDS]
    if not groups:
        return None
    phrases = (_text(one) for group in groups for one in group.iter() if local(one) == "kwd")
    return tuple(filter(None, phrases))


def _paragraphs(element: "Element") -> Iterator[str]:
    return filter(None, map(_text, blocks(element, PARAGRAPHS, _is_skipped)))


def _text(element: "Element") -> str:
    return inline_text(element, _is_skipped)


def _is_skipped(element: "Element") -> bool:
    if local(element) == "sec":  # a list of references that is a section of the text
        return any(begins_references("".join(title.itertext())) for title in inside(element, "title"))
    return local(element) in _SKIPPED or (local(element) == "xref" and element.get("ref-type") in ("bibr", "fn"))
