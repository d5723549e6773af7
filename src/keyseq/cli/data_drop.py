"""`keyseq data drop`: a corpus whose texts lack some of their keyphrases."""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import note, tell_skipped, track
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.types import Document


def drop(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Documents with keyphrases, in any format.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The JSONL file to write; .gz, .xz and .zst compress it.")],
    rate: Annotated[float, typer.Option(min=0, max=1, help="The share of keyphrases that the texts lose.")] = 0.7,
    seed: Annotated[int, typer.Option(min=0, help="Decides which.")] = 3435,
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The format of CORPUS, if its name does not tell.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Pass over records that cannot be read.")] = False,
) -> None:
    """Cut keyphrases out of the texts that hold them, and keep them as keyphrases (KPDrop).

    Meant to be learnt from beside the whole documents, so that a network says more of what a text only means. Documents
    that lose nothing are left out, being the same as in CORPUS.

    \b
    keyseq data drop corpus.jsonl --out dropped.jsonl
    keyseq train catseq --train corpus.jsonl --train dropped.jsonl ...
    """
    from keyseq.data.formats import read_documents, write_documents

    if math.isnan(rate):
        raise KeyseqError("--rate nan is no number; give one from 0 to 1")
    skipped: list[str] | None = [] if skip_bad else None
    documents = track(read_documents(corpus, format=from_format, skipped=skipped), corpus, source=corpus)
    count = write_documents(_changed(documents, rate, seed), out, "jsonl")
    note(f"{count:,} documents that lost a keyphrase written to {out}")
    tell_skipped(skipped)


def _changed(documents: "Iterable[Document]", rate: float, seed: int) -> "Iterator[Document]":
    """What has lost something and still says something: the rest would only be learnt twice, or not at all."""
    from keyseq.data.dropping import dropped

    for number, document in enumerate(documents):
        without = dropped(document, rate, (seed, number))
        if without != document and any(map(str.isalnum, without.text)):
            yield without
