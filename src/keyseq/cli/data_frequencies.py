"""`keyseq data frequencies`: count document frequencies for TfIdf."""

import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import declared, note, reading_report, tell_read, track
from keyseq.cli.reading_flags import reads_corpora

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading


@reads_corpora
def frequencies(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS...", help="Corpora; - is standard input.")],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Output file; .gz, .xz and .zst compress it.", callback=declared),
    ],
    longest: Annotated[int, typer.Option(min=1, max=5, help="Maximum words of the n-grams to count.")] = 1,
    least: Annotated[int, typer.Option(min=1, help="Minimum document frequency to keep.")] = 2,
    about: Annotated[str, typer.Option(metavar="TEXT", help="Description of the corpus, stored in the file.")] = "",
    language: Annotated[str, typer.Option(metavar="CODE", help="Language of the corpora.")] = "en",
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip documents that cannot be read.")] = False,
    *,
    reading: "CorpusReading",
) -> None:
    """Count in how many documents of a corpus each word occurs: the document frequencies of TfIdf.

    \b
    keyseq data frequencies papers.jsonl.gz --out papers.txt.gz --about "papers of our library"
    keyseq generate paper.txt --system tfidf --frequencies papers.txt.gz
    """
    from keyseq.extractive.frequencies import count_documents
    from keyseq.text.analyzer import Analyzer

    report = reading_report(skip_bad=skip_bad)
    documents = (
        document for corpus in corpora for document in track(reading.documents(corpus, report), corpus, source=corpus)
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
    tell_read(report)
