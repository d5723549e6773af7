"""`keyseq data clean`: repair, filter and deduplicate a corpus."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from keyseq.cli.console import declared, note, output, reading_report, tell_read, track
from keyseq.cli.reading_flags import reads_corpora

if TYPE_CHECKING:
    from keyseq.data.cleaning import CleaningReport
    from keyseq.data.formats import CorpusReading

HEADERS = ("what", "count", "example")


@reads_corpora
def clean(
    sources: Annotated[list[str], typer.Argument(metavar="IN...", help="Corpora in any format; - is standard input.")],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="The JSONL file to write; .gz, .xz and .zst compress it.", callback=declared),
    ],
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH|DATASET", help="Evaluation files, folders or datasets whose copies are removed."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the report: .md or .json.", dir_okay=False, callback=declared),
    ] = None,
    language: Annotated[Literal["en", "any"], typer.Option(help="Language of the documents to keep.")] = "en",
    min_words: Annotated[int, typer.Option(min=1, help="Minimum number of words of a text.")] = 10,
    alike: Annotated[
        float,
        typer.Option(min=0.1, max=1, help="Overlap of word 5-grams with a document of --against that makes a copy."),
    ] = 0.5,
    duplicates: Annotated[
        float, typer.Option(min=0.1, max=1, help="The same for near-duplicates in the corpus.")
    ] = 0.8,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Data directory; defaults to KEYSEQ_DATA.")] = None,
    processes: Annotated[int | None, typer.Option(min=1, metavar="N", help="[default: all cores]")] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip records that cannot be read.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    *,
    reading: "CorpusReading",
) -> None:
    """Clean a training corpus: repair texts and keyphrases, drop bad documents and duplicates, and report all changes.

    Encoding errors, HTML, LaTeX, copyright lines and keyword lists are removed from texts; keyphrases are split,
    trimmed and stripped of codes. Near-duplicates of each other, and of the documents of --against, are dropped.

    \b
    keyseq data clean raw.jsonl --out clean.jsonl --against inspec --against nus --data data
    keyseq data clean library.bib --out clean.jsonl.xz --against test/ --report report.md
    """
    from keyseq.data.cleaning import Rules, clean_corpus
    from keyseq.data.datasets import locate
    from keyseq.data.leaks import hold
    from keyseq.data.parallel import Work
    from keyseq.errors import KeyseqError
    from keyseq.imports import require

    for module in ("ftfy", "loky"):
        require(module, "clean")
    if report is not None and report.suffix not in (".md", ".json"):
        raise KeyseqError(f"{report}: a report must end in .md or .json")
    read = reading_report(skip_bad=skip_bad)
    held = hold(locate(against, data=data), alike, track) if against else None
    done = clean_corpus(
        (document for source in sources for document in reading.documents(source, read)),
        out,
        Rules(language=language, fewest_words=min_words, duplicates=duplicates),
        held,
        Work(processes=processes or os.cpu_count() or 1, track=track),
    )
    _tell(done, report, as_json)
    tell_read(read)


def _tell(done: "CleaningReport", path: Path | None, as_json: bool) -> None:
    """Print the report, and write it to a file on request."""
    from keyseq.tables import render

    machine = json.dumps(asdict(done), indent=2, ensure_ascii=False) + "\n"
    if path is not None:
        with output(path) as file:
            file.write(machine if path.suffix == ".json" else render(HEADERS, done.rows(), "markdown"))
    if as_json:
        typer.echo(machine, nl=False)
    else:
        note(render(HEADERS, done.rows()).rstrip("\n"))
