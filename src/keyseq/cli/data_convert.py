"""`keyseq data convert`: convert a corpus from one format to another."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import note, output, reading_report, tell_read, track
from keyseq.cli.reading_flags import reads_corpora

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keyseq.data.formats import CorpusReading
    from keyseq.types import Document


@reads_corpora
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, folder or zip archive; - is standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="Output file or folder; - is standard output.")],
    to_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of OUT, if its name does not show it.")
    ] = None,
    vocabulary: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Add labels of subjects, or URIs of keyphrases, from this vocabulary."),
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip records that cannot be read.")] = False,
    *,
    reading: "CorpusReading",
) -> None:
    """Convert a corpus from one format to another, recognised by file names or the content of a folder.

    Formats: jsonl, midas, csv, tsv, pairs (.src and .tgt), keyword-extractor, annif-folder, annif-tsv, bibtex, ris,
    txt, folder; of IN only: ake, pubmed, wos, csl-json, marc, marcxml, xlsx, parquet, markdown, pdf, docx, odt, html,
    epub, jats, tei, xml. Files may be compressed: .gz, .xz, .zst.

    \b
    keyseq data convert library.bib corpus.jsonl
    keyseq data convert Inspec.zip inspec.jsonl.xz
    keyseq data convert Inspec/test#uncontr inspec.src
    keyseq data convert annif-corpus/ corpus.jsonl
    keyseq data convert corpus.jsonl short.tsv --to annif-tsv --vocabulary thesaurus.ttl
    keyseq data convert papers.csv - --text-column summary --separator "|"
    """
    from keyseq.data.formats import FORMATS, format_to_write, write_documents
    from keyseq.data.formats.format import counting_losses

    report = reading_report(skip_bad=skip_bad)
    lost: Counter[str] = Counter()
    documents = _described(reading.documents(source, report), vocabulary)
    path = None if target == "-" else Path(target)
    with output(None) as stdout:
        to = format_to_write(path or stdout, to_format)
        passing = counting_losses(track(documents, source, source=source), FORMATS[to], lost)
        count = write_documents(passing, path or stdout, to, reading.columns)
    written = "1 document" if count == 1 else f"{count:,} documents"
    note(f"{written} written to {'standard output' if path is None else target} ({to})")
    if losses := ", ".join(f"{loss} (of {number:,})" for loss, number in lost.items() if number):
        note(f"{to} does not keep {losses}")
    tell_read(report)


def _described(documents: "Iterator[Document]", vocabulary: Path | None) -> "Iterator[Document]":
    if vocabulary is None:
        return documents
    from keyseq.cli.vocabulary_flags import read_with_notes
    from keyseq.text.analyzer import ENGLISH
    from keyseq.vocabularies.concept_lookup import ConceptLookup

    return map(ConceptLookup(read_with_notes(vocabulary, ENGLISH), ENGLISH).described, documents)
