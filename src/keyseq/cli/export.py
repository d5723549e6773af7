"""`keyseq export`: export a trained network to ONNX."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from keyseq.cli.console import note
from keyseq.imports import require


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run, or of one of its checkpoints.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder for the exported network.")],
    weights: Annotated[
        Literal["float32", "float16", "int8"],
        typer.Option(help="Precision of the stored weights: float32, float16, or the large tables as int8."),
    ] = "float32",
    output_words: Annotated[
        int | None,
        typer.Option(metavar="N", help="Generate only the N most frequent words of keyphrases; copy any."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Export a trained network to ONNX, to run without torch, and verify that it generates the same sequences.

    \b
    keyseq export runs/catseqd catseqd --weights int8
    keyseq generate --system ./catseqd paper.txt
    """
    for module in ("torch", "onnx"):
        require(module, "train")
    from keyseq.network.storage import find_network, load_network
    from keyseq.runtime.exporting import export as write
    from keyseq.runtime.exporting import restricted

    stored = load_network(find_network(run))
    parity = write(restricted(stored, output_words) if output_words else stored, out, weights)
    size = sum(file.stat().st_size for file in out.iterdir())
    if as_json:
        outcome = {"out": str(out), "bytes": size, "same": parity.same, "difference": parity.difference}
        typer.echo(json.dumps(outcome))
    else:
        note(
            f"{out}: {size / 1e6:.1f} MB; the same sequences as in PyTorch for {parity.same:.0%} of random sources,"
            f" log-probabilities within {parity.difference:.1g}"
        )
