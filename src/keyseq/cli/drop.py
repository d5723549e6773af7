"""`keyseq data drop`: a corpus whose texts lack some of their keyphrases."""

from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import note, tell_skipped, track


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

    A network that learns from such documents beside the whole ones learns to say what a text only means.

    \b
    keyseq data drop corpus.jsonl --out dropped.jsonl
    keyseq train catseq --train corpus.jsonl --train dropped.jsonl ...
    """
    from keyseq.data.dropping import dropped
    from keyseq.data.formats import read_documents, write_documents

    skipped: list[str] | None = [] if skip_bad else None
    documents = track(read_documents(corpus, format=from_format, skipped=skipped), corpus, source=corpus)
    changed = (dropped(document, rate, (seed, number)) for number, document in enumerate(documents))
    count = write_documents((document for document in changed if document.text), out, "jsonl")
    note(f"{count:,} documents written to {out}")
    tell_skipped(skipped)
