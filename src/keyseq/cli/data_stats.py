"""`keyseq data stats`: dataset statistics."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from keyseq.cli.console import declared, note, output, reading_report, tell_read, track
from keyseq.cli.reading_flags import reads_corpora

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading


@reads_corpora
def stats(
    corpora: Annotated[
        list[str],
        typer.Argument(metavar="NAME|PATH...", help="Datasets, corpus files, or folders of them; - is standard input."),
    ],
    split: Annotated[str, typer.Option(help="Split of a named dataset.")] = "test",
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Data directory; defaults to KEYSEQ_DATA.")] = None,
    format: Annotated[Literal["text", "markdown", "latex", "json"], typer.Option(help="Output format.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="Language of the corpora, which chooses the stemmer.")
    ] = "en",
    tokenizer: Annotated[
        Literal["meng17", "unicode"] | None,
        typer.Option(help="The tokenizer. [default: meng17 for English, else unicode]"),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Histogram of keyphrases per document: .pdf, .png or .svg.", callback=declared
        ),
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip documents that cannot be read.")] = False,
    *,
    reading: "CorpusReading",
) -> None:
    """Print dataset statistics as in the paper's tables, one row per corpus.

    #PreDoc and #AbsDoc count the documents with at least one present or absent keyphrase, #PreKP and #AbsKP these
    keyphrases; Mean and Var are those of the number of keyphrases per document.

    \b
    keyseq data stats inspec nus --data data
    keyseq data stats data/test --format latex
    keyseq data stats my.jsonl other.csv --plot histogram.png
    """
    from keyseq import figures
    from keyseq.data.datasets import locate
    from keyseq.data.histogram import draw
    from keyseq.data.statistics import HEADERS, measure
    from keyseq.tables import render
    from keyseq.text.analyzer import Analyzer

    if plot is not None:
        figures.check(plot)
    analyzer = Analyzer.for_language(language)
    analyzer = analyzer.with_tokenizer(tokenizer) if tokenizer else analyzer
    report = reading_report(skip_bad=skip_bad)
    paths = locate(corpora, split, data)
    measured = {
        name: measure(track(reading.documents(path, report), name, source=path), analyzer)
        for name, path in paths.items()
    }
    if plot is not None:
        draw(measured, plot)
    with output(None) as out:
        if as_json or format == "json":
            rows = [{"name": name, "path": str(paths[name]), **found.as_dict()} for name, found in measured.items()]
            out.write(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        else:
            out.write(render(HEADERS, [found.row(name) for name, found in measured.items()], format))
    for name, found in measured.items():
        if found.unlabelled:
            count = "1 document" if found.unlabelled == 1 else f"{found.unlabelled:,} documents"
            note(f"{name}: #Doc alone includes {count} without known keyphrases")
    tell_read(report)
