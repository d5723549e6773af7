"""`keyseq data frequencies`: count document frequencies for TfIdf."""

import datetime
from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import declared, note, tell_skipped, track


def frequencies(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS...", help="Corpora; - is standard input.")],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Output file; .gz, .xz and .zst compress it.", callback=declared),
    ],
    longest: Annotated[int, typer.Option(min=1, max=5, help="Count n-grams of up to so many words.")] = 1,
    least: Annotated[int, typer.Option(min=1, help="Minimum document frequency to keep.")] = 2,
    about: Annotated[str, typer.Option(metavar="TEXT", help="Description of the corpus, stored in the file.")] = "",
    language: Annotated[str, typer.Option(metavar="CODE", help="Language of the corpora.")] = "en",
    from_format: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="Format of the corpora, if not clear from their names."),
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip documents that cannot be read.")] = False,
) -> None:
    """Count in how many documents of a corpus each word occurs: the document frequencies of TfIdf.

    \b
    keyseq data frequencies papers.jsonl.gz --out papers.txt.gz --about "papers of our library"
    keyseq generate paper.txt --system tfidf --frequencies papers.txt.gz
    """
    from keyseq.data.formats import read_documents
    from keyseq.extractive.frequencies import count_documents
    from keyseq.text.analyzer import Analyzer

    skipped: list[str] | None = [] if skip_bad else None
    documents = (
        document
        for corpus in corpora
        for document in track(read_documents(corpus, format=from_format, skipped=skipped), corpus, source=corpus)
    )
    made = f"made on {datetime.datetime.now(datetime.UTC).date()} by keyseq data frequencies"
    counted = count_documents(
        documents,
        longest=longest,
        least=least,
        about=f"{about or ', '.join(corpora)}; {made}",
        analyzer=Analyzer.for_language(language),
    )
    counted.save(out)
    note(f"{counted.documents:,} documents, {len(counted.counts):,} phrases written to {out}")
    tell_skipped(skipped)
