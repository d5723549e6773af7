"""`keyseq data drop`: drop keyphrases from their texts (KPDrop)."""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import note, reading_report, tell_read, track
from keyseq.cli.reading_flags import reads_corpora
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading
    from keyseq.types import Document


@reads_corpora
def drop(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Documents with keyphrases, in any format.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The JSONL file to write; .gz, .xz and .zst compress it.")],
    rate: Annotated[float, typer.Option(min=0, max=1, help="Fraction of present keyphrases to drop.")] = 0.7,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 3435,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip records that cannot be read.")] = False,
    *,
    reading: "CorpusReading",
) -> None:
    """Drop present keyphrases from texts, so that they become absent keyphrases (KPDrop).

    Meant for training in addition to the originals, so that a network generates more absent keyphrases. Documents
    without a dropped keyphrase are left out, since they are the same as in CORPUS.

    \b
    keyseq data drop corpus.jsonl --out dropped.jsonl
    keyseq train catseq --train corpus.jsonl --train dropped.jsonl ...
    """
    from keyseq.data.formats import write_documents

    if math.isnan(rate):
        raise KeyseqError("--rate nan is not a number; use one from 0 to 1")
    report = reading_report(skip_bad=skip_bad)
    documents = track(reading.documents(corpus, report), corpus, source=corpus)
    count = write_documents(_changed(documents, rate, seed), out, "jsonl")
    note(f"{count:,} documents with dropped keyphrases written to {out}")
    tell_read(report)


def _changed(documents: "Iterable[Document]", rate: float, seed: int) -> "Iterator[Document]":
    """The documents that changed and still have text: the others would be seen twice in training, or be empty."""
    from keyseq.data.dropping import dropped

    for number, document in enumerate(documents):
        without = dropped(document, rate, (seed, number))
        if without != document and any(map(str.isalnum, without.text)):
            yield without
