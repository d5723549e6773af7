"""Write a library or a table again with the keyphrases of its documents, from Python."""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, BinaryIO, cast

from keyseq.data.formats import CorpusReading, ReadingReport
from keyseq.data.tagging import TAGGERS, Tagging, format_of, tag
from keyseq.errors import DataError


def annotate(
    source: Path | str,
    phrases: Iterable[Sequence[str]],
    out: IO[str] | BinaryIO,
    *,
    format: str | None = None,
    rules: Tagging | None = None,
) -> None:
    """Write a library or a table with the keyphrases of its documents added, in the order in which they are read.

    `format` is that of the file, if not shown by it: one of bibtex, ris, csl-json, marc, marcxml, csv, tsv, xlsx and
    parquet. By default existing keywords are kept and not repeated; see `Tagging`. Entries that cannot be read as
    documents stay as they are and take no phrases. `out` is opened for bytes; or for text, if the format is one and in
    UTF-8, and must then not translate line ends.
    """
    content = CorpusReading(format=format).source(str(source), ReadingReport(skipped=[], textless=[]))
    known = format or format_of(content)
    if known not in TAGGERS:
        raise DataError(f"{source}: not a library or a table; its format must be one of {', '.join(TAGGERS)}")
    if not isinstance(out, io.TextIOBase):
        tag(known, content, phrases, cast(BinaryIO, out), rules)
        return
    written = io.BytesIO()
    tag(known, content, phrases, written, rules)
    out.write(written.getvalue().decode("utf-8"))
