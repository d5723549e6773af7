"""`keyseq data fill`: rank keyphrases by a system, and add its predictions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import note, reading_report, tell_read, track
from keyseq.cli.reading_flags import reads_corpora

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading


@reads_corpora
def fill(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Documents with keyphrases, in any format.")],
    predictions: Annotated[
        list[Path],
        typer.Argument(
            metavar="PREDICTIONS…",
            help="Predictions, best first; if there are several files, those of the first come first.",
            dir_okay=False,
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The JSONL file to write; .gz, .xz and .zst compress it.")],
    present: Annotated[int, typer.Option(min=0, help="Target number of present phrases.")] = 5,
    instead: Annotated[
        bool,
        typer.Option("--instead", help="Replace the present keyphrases of the documents by predicted ones."),
    ] = False,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip records that cannot be read.")] = False,
    *,
    reading: "CorpusReading",
) -> None:
    """Sort keyphrases by a system's ranking, and add present phrases that the system predicted.

    This is a form of distillation: a network trained on such lists generates in one fast pass what a slow search
    found, its own or that of another system. The order matters where target.order is "given".

    \b
    keyseq generate corpus.jsonl -s scholar-network --decoding exhaustive --min-share 0.06 --json > predicted.jsonl
    keyseq data fill corpus.jsonl predicted.jsonl --present 9 --out filled.jsonl
    keyseq data fill corpus.jsonl predicted.jsonl --present 9 --instead --out taught.jsonl
    keyseq data fill unlabelled.jsonl tfidf.jsonl textrank.jsonl --present 5 --out labelled.jsonl
    keyseq train settings.toml --from runs/catseq/last --train taught.jsonl --set target.order=given ...
    """
    from keyseq.data.filling import filled
    from keyseq.data.formats import write_documents
    from keyseq.predictions.pairing import pair_all
    from keyseq.predictions.readers import read_predictions

    report = reading_report(skip_bad=skip_bad)
    documents = reading.documents(corpus, report)
    pairs = pair_all(track(documents, corpus, source=corpus), map(read_predictions, predictions))
    count = write_documents(
        (filled(document, predicted, present, instead=instead) for document, predicted in pairs), out, "jsonl"
    )
    note(f"{count:,} documents written to {out}")
    tell_read(report)
