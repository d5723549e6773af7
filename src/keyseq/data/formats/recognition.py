"""Which format a corpus has: by the end of a file's name, or by the content of a folder or archive."""

import codecs
import re
from collections.abc import Mapping
from pathlib import Path

from keyseq.data.formats.format import Format
from keyseq.data.formats.format_registry import FORMATS
from keyseq.data.formats.source import CorpusSource
from keyseq.errors import DataError, nearest
from keyseq.files import COMPRESSIONS

ARCHIVE = ".zip"
HEAD = 64  # bytes in which a file shows that it is one of these
EXPORTS = {b"PMID- ": "pubmed", b"FN Clarivate": "wos", b"FN Thomson": "wos", b"PT\tAU\t": "tsv", b"TY  - ": "ris"}
LINE = 1 << 20  # bytes of a first line that are looked at
ANNIF = re.compile(rb"[^\t]+\t\s*<[^<>\s]+>(\s+<[^<>\s]+>)*\s*")  # a text and URIs, where a table has its header


def named(format: str) -> Format:
    """The format of a name."""
    if format not in FORMATS:
        raise DataError(f"unknown format '{format}'{nearest(format, FORMATS)}")
    return FORMATS[format]


def recognised(source: CorpusSource) -> str:
    """The name of the format of a corpus; standard input is text."""
    if source.path is None:
        return "txt"
    if source.path.is_dir() or source.path.suffix.lower() == ARCHIVE:
        return _of_tree(source)
    found = by_suffix(source.path, "--from")
    if found == "tsv":
        return "annif-tsv" if _begins_with_subjects(source) else found
    return _by_content(source) if found == "txt" else found


def _by_content(source: CorpusSource) -> str:
    """The format of a file that is called a text, as databases call their exports."""
    with source.open() as file:
        head = file.read(HEAD).removeprefix(codecs.BOM_UTF8)
    return next((known for begin, known in EXPORTS.items() if head.startswith(begin)), "txt")


def _begins_with_subjects(source: CorpusSource) -> bool:
    """Whether the first line of a table is a text with the URIs of its subjects."""
    with source.open() as file:
        return ANNIF.fullmatch(file.readline(LINE)) is not None


def by_suffix(path: Path, option: str) -> str:
    """The name of the format of a file's suffix; `option` is the flag that sets it instead."""
    found = by_name(path.name)
    if found is None:
        from keyseq.data.formats.unread_kinds import advice_for

        if option == "--from" and (advice := advice_for(path.name)):
            raise DataError(f"{path}: {advice}")
        choices = ", ".join(name for name, known in FORMATS.working().items() if option == "--from" or known.write)
        raise DataError(f"{path}: the name does not show the format; choose one with {option}: {choices}")
    return found


def by_name(name: str) -> str | None:
    """The name of the format of a file's suffix, if any."""
    name = name.lower()
    for compression in COMPRESSIONS:
        name = name.removesuffix(compression)
    ends = _endings(name, FORMATS.built_in) or _endings(name, FORMATS.working())
    return ends[max(ends, key=len)] if ends else None


def _endings(name: str, formats: Mapping[str, Format]) -> dict[str, str]:
    """The suffixes that a name ends with, and the format of each."""
    return {end: known for known, one in formats.items() for end in one.suffixes if name.endswith(end)}


def _of_tree(source: CorpusSource) -> str:
    from keyseq.data.formats import ake, annif, folder, keyword_extractor
    from keyseq.data.formats.tree import open_tree

    with open_tree(source) as tree:
        if any(keyword_extractor.DOCUMENTS in name.split("/") for name in tree.names):
            return "keyword-extractor"
        if ake.is_corpus(tree):
            return "ake"
        if annif.is_corpus(tree.names):
            return "annif-folder"
        if folder.is_readable(tree.names):
            return "folder"
    raise DataError(f"{source.name}: holds no file of a format that keyseq reads; see docs/reference/formats.md")
