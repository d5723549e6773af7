"""Read the documents of an uploaded file in a separate process: `python -m keyseq.serving.upload_reader FILE MOST`.

Untrusted files, PDF above all, can keep a parser busy forever or exhaust memory: a process can be limited and killed,
a thread cannot.
"""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from keyseq.data.formats import read_documents
from keyseq.errors import DataError, KeyseqError
from keyseq.types import Document

PDF = ".pdf"
MEMORY = 1 << 30  # bytes that the process may use
SECONDS = 60  # of CPU time, in case the parent is gone and cannot kill it
BAD = 2  # the exit code of a file that cannot be read


def read(path: Path, most: int) -> dict[str, list[object]]:
    """The first `most` documents of a file, and what was skipped."""
    skipped: list[str] = []
    documents = _pdf(path) if path.suffix.lower() == PDF else read_documents(path, skipped=skipped)
    found = [
        {"id": document.id, "title": document.title, "text": document.body} for document in islice(documents, most)
    ]
    if not found:
        raise DataError(skipped[0] if skipped else f"{path}: holds no documents")
    if next(documents, None) is not None:
        skipped.append(f"{path}: all after the first {most:,} documents")
    return {"documents": list(found), "skipped": list(skipped)}


def _pdf(path: Path) -> Iterator[Document]:
    import logging

    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        pages = [page.extract_text() for page in PdfReader(path).pages]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError) as error:
        reason = "it is encrypted" if "decrypt" in str(error) else "it is damaged, or not a PDF"
        raise DataError(f"{path}: cannot be read: {reason}") from None
    text = "\n\n".join(pages).encode("utf-8", "replace").decode().strip()
    if not text:
        raise DataError(f"{path}: holds no text; run OCR on a scanned PDF first")
    yield Document(id=path.stem, body=text)


def _bound() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def main(name: str, most: str) -> None:
    """Print the documents of a file as JSON, or the error."""
    _bound()
    try:
        content = json.dumps(read(Path(name), int(most)))
    except KeyseqError as error:
        sys.stderr.write(str(error))
        sys.exit(BAD)
    except MemoryError:
        sys.stderr.write(f"{name}: takes too much memory to read")
        sys.exit(BAD)
    sys.stdout.write(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
