"""`keyseq train`: fit a network or a ranker to documents with keyphrases."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import track
from keyseq.cli.train_ranker import Files as RankerFiles
from keyseq.cli.train_ranker import train_ranker
from keyseq.cli.training_display import Display
from keyseq.errors import KeyseqError
from keyseq.imports import require

SKIPPED = 1
START = "start"  # in the folder of a run, an exported network that it began with


def train(
    config: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM", help="A network (catseq, catseqd, …, or a TOML file), or a ranker: kea, maui."
        ),
    ],
    train: Annotated[
        list[Path], typer.Option("--train", metavar="FILE", help="A corpus to learn from; may be repeated.")
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder of the run; a network's run that is there already goes on.")
    ],
    valid: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A corpus to choose the best checkpoint by, or to score a ranker on."),
    ] = None,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change a setting; may be repeated.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="NETWORK", help="A network to begin with: RUN/best, an exported one, a name."),
    ] = None,
    new_words: Annotated[
        int, typer.Option(min=0, metavar="N", help="With --from: words to add to its vocabulary.")
    ] = 0,
    vectors: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Word vectors to begin embeddings with: a word and its numbers a line."),
    ] = None,
    vocabulary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="For maui: the terms to choose from, one a line; see docs/reference/systems.md."
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A folder of encoded corpora that runs can share. [default: OUT/corpus]"),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Processes that encode. [default: all cores]")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Pass over records that cannot be read.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Train a network on documents with keyphrases, or go on with a run that was stopped; or train a ranker.

    \b
    keyseq train catseqd --train train.jsonl --valid valid.jsonl --out runs/catseqd
    keyseq train catseq --train train.jsonl --valid valid.jsonl --out runs/small --set training.steps=2000
    keyseq train kea --train train.jsonl --out kea --set kea.candidates=ngrams
    keyseq train maui --train train.jsonl --valid valid.jsonl --vocabulary terms.tsv --out maui
    """
    from keyseq.config import load_settings
    from keyseq.systems.registry import TRAINABLE

    if config in TRAINABLE:
        _refuse(config, start=start, new_words=new_words, vectors=vectors, corpus=corpus, processes=processes)
        files = RankerFiles(train=train, valid=valid, out=out, vocabulary=vocabulary, skip_bad=skip_bad)
        train_ranker(config, files, overrides or [], as_json=as_json)
        return
    if vocabulary is not None:
        raise KeyseqError(f"{config} has no --vocabulary of terms; give generate an --allow-list")
    if valid is None:
        raise KeyseqError("a network needs --valid FILE, to choose its best checkpoint by")
    settings = load_settings(config, overrides or ())
    # idle threads that spin slow everything down as soon as another process wants the cores; read when torch loads
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for module in ("torch", "accelerate", "pyarrow", "safetensors", "tensorboard"):
        require(module, "train")
    from keyseq.data.parallel import Work
    from keyseq.training.start import Files, Options
    from keyseq.training.start import train as fit

    begin = None if start is None else _checkpoint(start, out)
    paths = Files(train=train, valid=valid, out=out, corpus=corpus, start=begin, vectors=vectors)
    work = Work(processes=processes or os.cpu_count() or 1, track=track, skip_bad=skip_bad)
    with Display(settings.training.steps) as display:
        outcome = fit(settings, paths, Options(work=work, report=display.show, new_words=new_words))
    if as_json and outcome.is_main_process:
        typer.echo(json.dumps(asdict(outcome.progress) | {"out": str(out)}))
    if outcome.skipped:
        raise typer.Exit(SKIPPED)


def _refuse(ranker: str, **options: object) -> None:
    """Refuse what only a network's training has."""
    for name, value in options.items():
        if value:
            flag = {"start": "from"}.get(name, name.replace("_", "-"))
            raise KeyseqError(f"--{flag} is for networks: {ranker} is trained without it")


def _checkpoint(name: str, out: Path) -> Path:
    """The folder of a network to begin with; one that was exported is unpacked into the folder of the run."""
    from filelock import FileLock

    from keyseq.files import make_folder, write_whole_folder
    from keyseq.network.storage import WEIGHTS, save_network
    from keyseq.runtime.restoring import restored
    from keyseq.systems.hub import locate

    place = locate(name)
    if (place.folder / WEIGHTS).is_file():
        return place.folder
    unpacked = out / START
    make_folder(out)
    with FileLock(out / f".{START}.lock"):  # one of several processes does it for all
        if not unpacked.exists():
            with write_whole_folder(unpacked) as partial:
                save_network(restored(*place), partial)
    return unpacked
