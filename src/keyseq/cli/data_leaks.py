"""`keyseq data leaks`: find training documents that are copies of evaluation documents."""

import json
from collections import Counter
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import note, output, track
from keyseq.cli.reading_flags import reads_corpora

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading

FOUND = 1


@reads_corpora
def leaks(
    train: Annotated[list[str], typer.Argument(metavar="TRAIN...", help="Corpora to train on; - is standard input.")],
    against: Annotated[
        list[str], typer.Option(metavar="PATH|DATASET", help="Evaluation files, folders or datasets; may be repeated.")
    ],
    split: Annotated[str, typer.Option(help="Split of a named dataset.")] = "test",
    alike: Annotated[
        float, typer.Option(min=0.1, max=1, help="Overlap of word 5-grams that makes two texts copies.")
    ] = 0.5,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Data directory; defaults to KEYSEQ_DATA.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    *,
    reading: "CorpusReading",
) -> None:
    """List training documents that are copies or near-copies of evaluation documents; exit code 1 if there are any.

    \b
    keyseq data leaks train.jsonl --against valid.jsonl --against test/
    keyseq data leaks train.jsonl --against inspec --against nus --data data --json
    """
    from keyseq.data.datasets import locate
    from keyseq.data.leaks import find_leaks, hold
    from keyseq.tables import render

    files = locate(against, split, data)
    held = hold(files, alike, track)
    documents = chain.from_iterable(map(reading.documents, train))
    found = find_leaks(track(documents, "comparing"), held)
    counts = Counter(leak.file for leak in found)
    with output(None) as out:
        if as_json:
            by_file = {name: counts[name] for name in files}
            out.write(json.dumps({"files": by_file, "leaks": [asdict(leak) for leak in found]}, indent=2) + "\n")
        elif found:
            rows = [(leak.id, leak.file, leak.copy_of, f"{leak.alike:.2f}", _title(leak.same_title)) for leak in found]
            out.write(render(("document", "evaluation file", "copy of", "alike", "title"), rows))
    for name in files:
        note(f"{name}: {counts[name]:,} copies")
    if found:
        raise typer.Exit(FOUND)


def _title(same: bool) -> str:
    return "same" if same else "other"
