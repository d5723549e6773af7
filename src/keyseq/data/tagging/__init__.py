"""Write the file that documents were read from again, with their keyphrases added and everything else unchanged."""

from collections.abc import Callable, Iterable, Sequence
from typing import BinaryIO

from keyseq.data.formats.source import CorpusSource
from keyseq.data.tagging.tags import Tagging, Tags
from keyseq.imports import later

__all__ = ["TAGGERS", "Tagging", "format_of", "tag"]

_HERE = "keyseq.data.tagging"

# how the files of each format are tagged: (source, tags, out) -> None
TAGGERS: dict[str, Callable[[CorpusSource, Tags, BinaryIO], None]] = {
    "bibtex": later(f"{_HERE}.tagged_library:tag_bibtex"),
    "ris": later(f"{_HERE}.tagged_library:tag_ris"),
    "csv": later(f"{_HERE}.tagged_table:tag_csv"),
    "tsv": later(f"{_HERE}.tagged_table:tag_tsv"),
    "xlsx": later(f"{_HERE}.tagged_sheet:tag_sheet"),
    "marc": later(f"{_HERE}.tagged_marc:tag_marc"),
    "marcxml": later(f"{_HERE}.tagged_marcxml:tag_marcxml"),
    "csl-json": later(f"{_HERE}.tagged_items:tag_items"),
    "parquet": later(f"{_HERE}.tagged_parquet:tag_parquet"),
}
TABLES = ("csv", "tsv", "xlsx", "parquet")  # which get a column of their own, whatever keywords they have
IN_PLACE = ("bibtex", "ris")  # nothing of which is lost if the file itself is written again


def format_of(source: CorpusSource) -> str | None:
    """The format in `TAGGERS` of a file, None if it is of no such format."""
    from keyseq.data.tagging.taggable import taggable_format

    return taggable_format(source, frozenset(TAGGERS))


def tag(
    format: str, source: CorpusSource, phrases: Iterable[Sequence[str]], out: BinaryIO, rules: Tagging | None = None
) -> None:
    """Write a file of a format in `TAGGERS` with the phrases of its documents, in the order in which they are read.

    Records that are not documents, since they cannot be read or have no text, stay as they are and take no phrases.
    """
    tags = Tags(phrases, rules or Tagging())
    TAGGERS[format](source, tags, out)
    tags.check_used()
