"""`keyseq data frequencies`: in how many documents each word occurs, for TfIdf."""

import datetime
from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import declared, note, tell_skipped, track


def frequencies(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS...", help="Corpora; - is standard input.")],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="What to write, compressed if it ends in .gz, .xz or .zst.", callback=declared
        ),
    ],
    longest: Annotated[int, typer.Option(min=1, max=5, help="Count runs of up to so many words, not words alone.")] = 1,
    least: Annotated[int, typer.Option(min=1, help="Keep what so many documents have.")] = 2,
    about: Annotated[str, typer.Option(metavar="TEXT", help="What the corpus is, to be kept in the file.")] = "",
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The corpora's format, if their names do not tell.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Pass over documents that cannot be read.")] = False,
) -> None:
    """Count in how many documents of a corpus each word occurs, so that TfIdf knows what is rare in your field.

    \b
    keyseq data frequencies papers.jsonl.gz --out papers.txt.gz --about "papers of our library"
    keyseq generate paper.txt --system tfidf --frequencies papers.txt.gz
    """
    from keyseq.data.formats import read_documents
    from keyseq.extractive.frequencies import count_documents

    skipped: list[str] | None = [] if skip_bad else None
    documents = (
        document
        for corpus in corpora
        for document in track(read_documents(corpus, format=from_format, skipped=skipped), corpus, source=corpus)
    )
    made = f"made on {datetime.datetime.now(datetime.UTC).date()} by keyseq data frequencies"
    counted = count_documents(documents, longest=longest, least=least, about=f"{about or ', '.join(corpora)}; {made}")
    counted.save(out)
    note(f"{counted.documents:,} documents, {len(counted.counts):,} phrases written to {out}")
    tell_skipped(skipped)
