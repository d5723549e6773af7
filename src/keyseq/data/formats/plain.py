"""Plain text: one document per file."""

from collections.abc import Iterable, Iterator

from keyseq.data.formats.source import CorpusSource, with_text
from keyseq.data.formats.target import CorpusTarget
from keyseq.errors import DataError
from keyseq.types import Document


def read_text(source: CorpusSource) -> Iterator[Document]:
    """Read a text file as one body, since no rule identifies a title reliably."""
    return source.documents([source], _document)


def _document(source: CorpusSource) -> Document:
    body = source.text().replace("\r\n", "\n").removesuffix("\n")
    return with_text(Document(id=source.stem, body=body), source.name)


def as_text(document: Document) -> str:
    """A document as text: the title, an empty line, the body."""
    return "\n\n".join(filter(None, (document.title, document.body))) + "\n"


def write_text(documents: Iterable[Document], target: CorpusTarget) -> None:
    """Write a corpus of one document as a text file."""
    with target.open() as out:
        for number, document in enumerate(documents):
            if number:
                raise DataError(
                    "a text file holds one document, but there are more; write them to a folder (--to folder)"
                )
            out.write(as_text(document))
