"""Read and write corpora in every format as streams of documents."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO

from keyseq.data.formats.columns import Columns
from keyseq.data.formats.format import Format
from keyseq.data.formats.format_registry import FORMATS
from keyseq.data.formats.keyword_extractor import DOCUMENTS
from keyseq.data.formats.plain import is_readable
from keyseq.data.formats.source import STDIN, CorpusSource
from keyseq.data.formats.target import CorpusTarget
from keyseq.data.formats.tree import open_tree
from keyseq.errors import DataError, nearest
from keyseq.files import COMPRESSIONS
from keyseq.types import Document

__all__ = ["FORMATS", "Columns", "Format", "format_to_write", "read_documents", "write_documents"]


def read_documents(
    path: Path | str,
    *,
    format: str | None = None,
    columns: Columns | None = None,
    skipped: list[str] | None = None,
) -> Iterator[Document]:
    """Stream the documents of a corpus; "-" is standard input.

    The first bad record raises a `DataError`, unless `skipped` is a list, to which the errors are appended.
    """
    source = _source(str(path), columns or Columns(), skipped)
    name = format or _recognised(source)
    if source.part and name != "ake":
        raise DataError(f"{path}: no such file or folder; only ake corpora have parts after a #")
    return _named(name).read(source)


def write_documents(
    documents: Iterable[Document],
    path: Path | str | IO[str],
    format: str | None = None,
    columns: Columns | None = None,
) -> int:
    """Write a corpus to a file or folder, atomically, or to an open stream; return the number of documents."""
    to = Path(path) if isinstance(path, str) else path
    name = format_to_write(to, format)
    write = FORMATS[name].write
    if write is None:
        writable = [other for other, known in FORMATS.working().items() if known.write]
        raise DataError(f"{name} can be read but not written; choose one of {', '.join(writable)}")
    count = 0

    def counted() -> Iterator[Document]:
        nonlocal count
        for document in documents:
            yield document
            count += 1

    write(counted(), CorpusTarget(to=to, columns=columns or Columns()))
    return count


def format_to_write(path: Path | IO[str], format: str | None = None) -> str:
    """The name of the format to write: the given one, or that of the file's suffix."""
    if format is not None:
        _named(format)
        return format
    if not isinstance(path, Path):
        return "jsonl"
    if path.suffix.lower() == ".zip":
        return "keyword-extractor"
    return _by_suffix(path, "--to")


def _named(format: str) -> Format:
    if format not in FORMATS:
        raise DataError(f"unknown format '{format}'{nearest(format, FORMATS)}")
    return FORMATS[format]


def _source(name: str, columns: Columns, skipped: list[str] | None) -> CorpusSource:
    if name == STDIN:
        return CorpusSource(path=None, columns=columns, skipped=skipped)
    path, part = Path(name), ""
    if not path.exists() and "#" in name:
        name, _, part = name.rpartition("#")
        path = Path(name)
    if not path.exists():
        raise DataError(f"{path}: no such file or folder")
    return CorpusSource(path=path, part=part, columns=columns, skipped=skipped)


def _recognised(source: CorpusSource) -> str:
    """Recognise the format of a corpus by the content of a folder or archive, or by a file's suffix."""
    if source.path is None:
        return "txt"
    if not source.path.is_dir() and source.path.suffix.lower() != ".zip":
        return _by_suffix(source.path, "--from")
    with open_tree(source) as tree:
        if any(DOCUMENTS in name.split("/") for name in tree.names):
            return "keyword-extractor"
        if any(name.endswith(".xml") for name in tree.names):
            return "ake"
        if any(map(is_readable, tree.names)):
            return "folder"
    raise DataError(
        f"{source.name}: holds neither a folder '{DOCUMENTS}' (keyword-extractor) nor .xml (ake), "
        ".txt or .md files (folder)"
    )


def _by_suffix(path: Path, option: str) -> str:
    name = path.name.lower()
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression)
    ends = _endings(name, FORMATS.built_in) or _endings(name, FORMATS.working())
    if not ends:
        choices = ", ".join(name for name, known in FORMATS.working().items() if option == "--from" or known.write)
        raise DataError(f"{path}: cannot tell the format from the name; choose one with {option}: {choices}")
    return ends[max(ends, key=len)]


def _endings(name: str, formats: Mapping[str, Format]) -> dict[str, str]:
    """The suffixes that a name ends with, and the format of each."""
    return {end: known for known, one in formats.items() for end in one.suffixes if name.endswith(end)}
