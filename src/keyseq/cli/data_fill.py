"""`keyseq data fill`: keyphrases ranked by a system, and filled up with what it found besides."""

from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import note, tell_skipped, track


def fill(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Documents with keyphrases, in any format.")],
    predictions: Annotated[
        Path, typer.Argument(metavar="PREDICTIONS", help="What a system says of them, best first.", dir_okay=False)
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The JSONL file to write; .gz, .xz and .zst compress it.")],
    present: Annotated[int, typer.Option(min=0, help="So many phrases of the text, where the system has them.")] = 5,
    instead: Annotated[
        bool,
        typer.Option(
            "--instead", help="What the system found takes the place of the documents' own phrases of the text."
        ),
    ] = False,
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The format of CORPUS, if its name does not tell.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Pass over records that cannot be read.")] = False,
) -> None:
    """Put keyphrases in the order of a system's ranking, and fill lists up with what the system found in the text.

    A network that learns from such lists says in one fast pass what a slow search found: its own, or that of any other
    system. The order counts where target.order is "given".

    \b
    keyseq generate corpus.jsonl --decoding exhaustive --min-share 0.06 --json > said.jsonl
    keyseq data fill corpus.jsonl said.jsonl --present 9 --out filled.jsonl
    keyseq data fill corpus.jsonl said.jsonl --present 9 --instead --out taught.jsonl
    keyseq train settings.toml --from runs/catseq/last --train taught.jsonl --set target.order=given ...
    """
    from keyseq.data.filling import filled
    from keyseq.data.formats import read_documents, write_documents
    from keyseq.predictions.pairing import pair
    from keyseq.predictions.readers import read_predictions

    skipped: list[str] | None = [] if skip_bad else None
    documents = read_documents(corpus, format=from_format, skipped=skipped)
    pairs = pair(track(documents, corpus, source=corpus), read_predictions(predictions))
    count = write_documents(
        (filled(document, said, present, instead=instead) for document, said in pairs), out, "jsonl"
    )
    note(f"{count:,} documents written to {out}")
    tell_skipped(skipped)
