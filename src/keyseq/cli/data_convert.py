"""`keyseq data convert`: convert a corpus from one format to another."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import note, output, tell_skipped, track


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, folder or zip archive; - is standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="Output file or folder; - is standard output.")],
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="Format of IN, if its name does not show it.")
    ] = None,
    to_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of OUT, if its name does not show it.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip records that cannot be read.")] = False,
    id_column: Annotated[str | None, typer.Option(metavar="NAME", help="Column or JSON field of the id.")] = None,
    title_column: Annotated[str | None, typer.Option(metavar="NAME", help="Column of the title.")] = None,
    text_column: Annotated[str | None, typer.Option(metavar="NAME", help="Column of the text.")] = None,
    keyphrases_column: Annotated[str | None, typer.Option(metavar="NAME", help="Column of the keyphrases.")] = None,
    separator: Annotated[str, typer.Option(help="Separator of keyphrases within a cell.")] = ";",
) -> None:
    """Convert a corpus from one format to another, recognised by file names or the content of a folder.

    Formats: jsonl, midas, csv, tsv, pairs (.src and .tgt), keyword-extractor, ake (IN only), bibtex, ris, txt,
    markdown (IN only), folder. Files may be compressed: .gz, .xz, .zst.

    \b
    keyseq data convert library.bib corpus.jsonl
    keyseq data convert Inspec.zip inspec.jsonl.xz
    keyseq data convert Inspec/test#uncontr inspec.src
    keyseq data convert papers.csv - --text-column summary --separator "|"
    """
    from keyseq.data.formats import FORMATS, Columns, format_to_write, read_documents, write_documents
    from keyseq.data.formats.format import counting_losses

    columns = Columns(
        id=id_column, title=title_column, text=text_column, keyphrases=keyphrases_column, separator=separator
    )
    skipped: list[str] | None = [] if skip_bad else None
    lost: Counter[str] = Counter()
    documents = read_documents(source, format=from_format, columns=columns, skipped=skipped)
    path = None if target == "-" else Path(target)
    with output(None) as stdout:
        to = format_to_write(path or stdout, to_format)
        passing = counting_losses(track(documents, source, source=source), FORMATS[to], lost)
        count = write_documents(passing, path or stdout, to, columns)
    written = "1 document" if count == 1 else f"{count:,} documents"
    note(f"{written} written to {'standard output' if path is None else target} ({to})")
    if losses := ", ".join(f"{loss} (of {number:,})" for loss, number in lost.items() if number):
        note(f"{to} does not keep {losses}")
    tell_skipped(skipped)
