"""`keyseq average`: average the weights of networks with a common start."""

from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import note
from keyseq.errors import KeyseqError
from keyseq.imports import require


def average(
    networks: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN[=SHARE]...", help="Folders of runs or checkpoints, with optional weights (equal by default)."
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="A new folder for the network.")],
) -> None:
    """Average the weights of networks that were fine-tuned from the same network.

    The average often combines what they have learnt, and runs as fast as one. Export it, or continue training.

    \b
    keyseq average runs/papers/last=0.6 runs/filled/last=0.4 --out runs/mean
    keyseq export runs/mean papers --weights int8
    """
    require("torch", "train")
    from keyseq.files import write_whole_folder
    from keyseq.network.averaging import average as mean_of
    from keyseq.network.storage import find_network, save_network

    shares: dict[Path, float] = {}
    for name in networks:
        run, share = _share(name)
        if (folder := find_network(run).resolve()) in shares:
            raise KeyseqError(f"{name}: given twice; give it a larger weight instead")
        shares[folder] = share
    if len(shares) < 2:
        raise KeyseqError(f"{networks[0]}: one network cannot be averaged; give two or more")
    mean = mean_of(shares)
    with write_whole_folder(out) as partial:
        save_network(mean, partial, with_index=True)
    note(f"{out}: average of {len(shares)} networks")


def _share(name: str) -> tuple[Path, float]:
    """A folder and its weight; the name of an existing folder may contain an =."""
    folder, equals, number = name.rpartition("=")
    if not equals or Path(name).is_dir():
        return Path(name), 1.0
    try:
        share = float(number)
    except ValueError:
        share = 0.0
    if not 0 < share < float("inf"):
        raise KeyseqError(f"{name}: no such folder; a weight after = must be a number above 0")
    return Path(folder), share
