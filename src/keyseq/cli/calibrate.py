"""`keyseq calibrate`: fit the number and the order of the phrases that a network says to documents of yours."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import note, track
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.calibration.ending import EndingFit
    from keyseq.calibration.reranking import RerankingFit


def calibrate(
    network: Annotated[Path, typer.Argument(metavar="FOLDER", help="An exported network.")],
    corpus: Annotated[Path, typer.Argument(metavar="FILE", help="Documents with keyphrases, not those of a test.")],
    documents: Annotated[int, typer.Option(metavar="N", min=1, help="How many of them, from the first.")] = 1_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Fit the number and the order of the phrases that a network says to documents, and store both with the network.

    The number is that of the default decoding, `distinct`: only when a sequence ends is changed. The order is that of
    exhaustive decoding: it learns which of the phrases found are a document's own. No weight of the network changes.
    A thousand abstracts take a minute or two, most of it the search.

    \b
    keyseq export runs/catseqd catseqd --weights int8
    keyseq calibrate catseqd valid.jsonl
    keyseq generate paper.txt --system ./catseqd --decoding exhaustive --min-score 0.15
    """
    from itertools import islice

    from keyseq.calibration.fitting import calibrate as fitted
    from keyseq.data.formats import read_documents

    read = list(islice(read_documents(corpus), documents))
    if not any(document.keyphrases for document in read):
        raise KeyseqError(f"{corpus}: no document with keyphrases to learn from")
    number, order = fitted(network, read, track)
    if as_json:
        typer.echo(json.dumps({"number": number and asdict(number), "order": asdict(order)}))
        return
    note(_number(network, number) if number else f"{network}: says one phrase a sequence, so no number was fitted")
    note(_order(network, order))


def _number(network: Path, number: "EndingFit") -> str:
    return (
        f"{network}: the number of phrases is off by {number.error:.2f} on {number.documents:,} documents, where it was"
        f" off by {number.uncalibrated:.2f} and always saying the mean by {number.of_the_mean:.2f}"
    )


def _order(network: Path, order: "RerankingFit") -> str:
    if not order.weights.is_learnt:
        return f"{network}: the published order is as good on these documents, and is used from now on"
    return (
        f"{network}: of as many first phrases of an exhaustive search as a document has, {order.own:.1%} are the"
        f" document's, where {order.published:.1%} were, on these documents"
    )
