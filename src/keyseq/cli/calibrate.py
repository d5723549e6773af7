"""`keyseq calibrate`: fit the number and the ranking of the phrases that a network generates to your documents."""

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
    corpus: Annotated[Path, typer.Argument(metavar="FILE", help="Documents with keyphrases; not a test set.")],
    documents: Annotated[int, typer.Option(metavar="N", min=1, help="Use the first N documents.")] = 1_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Calibrate the number and the ranking of a network's phrases on documents, and store both with the network.

    The number is that of the default decoding, `distinct`: a bonus for ending the sequence is fitted. The ranking is
    that of exhaustive decoding: a logistic regression reranks the phrases found. No weight of the network changes.
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
        raise KeyseqError(f"{corpus}: no document has keyphrases; use a corpus that has them")
    ending, reranking = fitted(network, read, track)
    if as_json:
        typer.echo(json.dumps({"ending": ending and asdict(ending), "reranking": asdict(reranking)}))
        return
    note(f"{network}: {_ending(ending)}")
    note(f"{network}: {_reranking(reranking)}")


def _ending(fit: "EndingFit | None") -> str:
    if fit is None:
        return "generates one phrase per sequence, so its number of phrases was not calibrated"
    return (
        f"MAE of the number of phrases {fit.mae:.2f} on {fit.documents:,} documents"
        f" (uncalibrated {fit.mae_uncalibrated:.2f}, mean baseline {fit.mae_mean_baseline:.2f})"
    )


def _reranking(fit: "RerankingFit") -> str:
    if not fit.weights.is_learnt:
        return (
            f"reranking did not improve the R-precision of the published order ({fit.r_precision_published:.1%})"
            " on these documents, so that order is kept"
        )
    return (
        f"R-precision of exhaustive decoding {fit.r_precision:.1%} on these documents"
        f" (published order {fit.r_precision_published:.1%})"
    )
