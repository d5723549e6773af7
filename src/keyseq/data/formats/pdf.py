"""PDF: one document per file, its title, abstract and keywords found by the layout."""

import logging
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from keyseq.data.formats.columns import split_list
from keyseq.data.formats.page_layout import Paper, TextLine, read_layout
from keyseq.data.formats.source import CorpusSource, TextlessError
from keyseq.errors import DataError
from keyseq.imports import require
from keyseq.types import Document

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

LARGEST_PAGE = 1 << 25  # bytes of drawing instructions: a page of more is a figure, and takes minutes to read
LEAST_PROSE = 20  # characters that are drawn at once in a line of a text
# codes of ligatures in TeX's encodings (OT1 from 11 on, T1 from 27 on), which fonts without names of letters keep
_TEX_LIGATURES = {
    first + place: letters for first in (11, 27) for place, letters in enumerate(("ff", "fi", "fl", "ffi", "ffl"))
}


def read(source: CorpusSource) -> Iterator[Document]:
    """Read a PDF; running heads, page numbers and references are left out."""
    require("pypdf", "files")
    return source.documents([source], _document)


def _document(source: CorpusSource) -> Document:
    import io

    content = source.content()
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        paper, keywords = _paper(source, io.BytesIO(content))
    except DataError:
        raise
    except Exception as error:  # a damaged file can raise anything
        raise DataError(f"{source.name}: cannot be read: {_reason(error)}") from None
    if not (paper.title or paper.body):
        raise TextlessError(f"{source.name}: holds no text; run OCR on a scanned PDF first")
    phrases = split_list(paper.keywords or keywords)
    return Document(id=source.stem, title=paper.title, body=paper.body, keyphrases=phrases or None)


def _reason(error: Exception) -> str:
    told = f"{type(error).__name__} {error}".lower()
    if "decrypt" in told or "encrypt" in told or "cryptography" in told:
        return "it is encrypted; save a copy without a password"
    return "it is damaged, or not a PDF"


def _paper(source: CorpusSource, file: Any) -> tuple[Paper, str]:
    """The parts of a paper, and the keywords of the file's properties."""
    from pypdf import PdfReader

    reader = PdfReader(file)
    pages = []
    for number, page in enumerate(reader.pages, start=1):
        if _is_figure(page):
            source.report.tell(f"{source.name}: page {number} is left out, a drawing of over {LARGEST_PAGE >> 20} MiB")
        else:
            pages.append(_lines(page))
    properties = _properties(reader)
    return read_layout(pages, properties.get("/Title", "")), properties.get("/Keywords", "")


def _is_figure(page: "PageObject") -> bool:
    content = page.get_contents()
    return content is not None and len(content.get_data()) > LARGEST_PAGE


def _properties(reader: "PdfReader") -> dict[str, str]:
    return {name: value for name, value in (reader.metadata or {}).items() if isinstance(value, str)}


def _lines(page: "PageObject") -> list[TextLine]:
    """The lines of a page in the order of the file, each with its largest size and its height on the page."""
    lines: list[TextLine] = []
    pieces: list[tuple[str, float, float]] = []

    def add(text: str, matrix: Sequence[float], text_matrix: Sequence[float], _font: object, size: float) -> None:
        shown = size * math.hypot(*text_matrix[2:4]) * math.hypot(*matrix[2:4])
        y = text_matrix[4] * matrix[1] + text_matrix[5] * matrix[3] + matrix[5]
        first, *others = text.split("\n")
        pieces.append((first, shown, y))
        for other in others:
            end()
            pieces.append((other, shown, y))

    def end() -> None:
        shown = [piece for piece in pieces if piece[0].strip()]
        if shown:
            if _is_hyphen([piece[0] for piece in shown]):
                pieces[pieces.index(shown[-1])] = ("-", *shown[-1][1:])
            text = "".join(piece[0] for piece in pieces)
            lines.append(TextLine(_storable(text), max(size for _, size, _ in shown), shown[0][2]))
        pieces.clear()

    page.extract_text(orientations=(0,), visitor_text=add)
    end()
    return lines


def _is_hyphen(drawn: Sequence[str]) -> bool:
    """Whether a line ends with a hyphen that is drawn apart, as typst does; the gap before it is a guess of pypdf.

    A dash in the last cell of a table follows a short text.
    """
    return drawn[-1] == " -" and len(drawn) > 1 and len(drawn[-2]) >= LEAST_PROSE


def _storable(text: str) -> str:
    """A text without characters that no text has: lone surrogates, and marks of control."""
    told = text.translate(_TEX_LIGATURES)  # before they are taken for spaces
    return " ".join(told.encode("utf-8", "replace").decode().replace("\0", " ").split())
