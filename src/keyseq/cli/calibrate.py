"""`keyseq calibrate`: fit the number of phrases that a network says to documents of yours."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import note, track


def calibrate(
    network: Annotated[Path, typer.Argument(metavar="FOLDER", help="An exported network, which learns when to stop.")],
    corpus: Annotated[Path, typer.Argument(metavar="FILE", help="Documents with keyphrases, not those of a test.")],
    documents: Annotated[int, typer.Option(metavar="N", min=1, help="How many of them, from the first.")] = 1_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Fit the number of phrases that a network says to documents, and store that with the network.

    Only when a sequence ends is changed, and only in the default decoding, `distinct`; its words stay as they are.

    \b
    keyseq export runs/catseqd catseqd --weights int8
    keyseq calibrate catseqd valid.jsonl
    """
    from itertools import islice

    from keyseq.data.formats import read_documents
    from keyseq.systems.calibration import calibrate as fitted

    read = islice(read_documents(corpus), documents)
    found = fitted(network, read, lambda read: track(read, "calibrating", total=documents))
    if as_json:
        typer.echo(json.dumps(asdict(found)))
        return
    note(
        f"{network}: the number of phrases is off by {found.error:.2f} on {found.documents:,} documents, where it was"
        f" off by {found.uncalibrated:.2f} and always saying the mean by {found.of_the_mean:.2f}"
    )
