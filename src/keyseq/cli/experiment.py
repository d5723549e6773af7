"""`keyseq experiment`: reproduce the paper's tables and figures."""

import math
import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import note, output, track
from keyseq.cli.training_display import shown
from keyseq.errors import KeyseqError


def experiment(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The experiment; without a name, all are listed.")
    ] = None,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Data directory; defaults to KEYSEQ_DATA.")] = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of networks, predictions and reports, reused in later runs.")
    ] = Path("runs/experiments"),
    scale: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Fraction of training, test sets and states; 0.01 takes minutes."),
    ] = 1.0,
    budget: Annotated[
        float, typer.Option(metavar="SHARE", help="Training steps of each network; 1 is 2,000 steps of 32 examples.")
    ] = 1.0,
    seeds: Annotated[
        int, typer.Option(min=1, metavar="N", help="Networks of each row; the table has their means and ranges.")
    ] = 1,
    systems: Annotated[list[str] | None, typer.Option(metavar="NAME,…", help="Only these rows.")] = None,
    networks: Annotated[
        list[str] | None,
        typer.Option("--network", metavar="NAME=DIR", help="A network trained elsewhere: a run or an exported one."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, not Markdown.")] = False,
) -> None:
    """Reproduce a table or figure of the paper, with the published numbers for comparison.

    Missing networks are trained, decoded and scored; the same command resumes a run that was stopped. The report is
    written as NAME.md, .tex, .json and .html into --out.

    \b
    keyseq experiment
    keyseq experiment present --data data --out runs/experiments --scale 0.01
    keyseq experiment present --data data --budget 1.75 --seeds 3
    keyseq experiment ablation --data data --network catseq=runs/catseq --systems catseq,catseqd
    """
    from keyseq.experiments.definition import load

    if name is None:
        _list(as_json)
        return
    for flag, share in (("--scale", scale), ("--budget", budget)):
        if not 0 < share < math.inf:
            raise KeyseqError(f"{flag} must be a number above 0, not {share:g}")
    chosen = load(name).only([part for given in systems or () for part in given.split(",")])
    if seeds > 1 and chosen.kind != "scores":
        raise KeyseqError(f"--seeds is for tables of scores, which {name} is not; leave it out")
    given: dict[str, Path] = {}
    for network, folder in map(_network, networks or ()):
        if network in given:
            raise KeyseqError(f"--network {network}: given twice, as {given[network]} and as {folder}")
        given[network] = folder
    # idle threads that spin slow down other processes on the same cores; read when torch loads
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from keyseq.experiments.budget import Scale
    from keyseq.experiments.findings import json_report, markdown
    from keyseq.experiments.run import run
    from keyseq.experiments.workspace import Workspace
    from keyseq.systems.training_job import ProgressDisplay

    progress = ProgressDisplay(track=track, note=note, training=shown)
    workspace = Workspace(data=data, out=out, scale=Scale(scale, budget, seeds), networks=given, progress=progress)
    outcome = run(chosen, workspace, shlex.join(["keyseq", *sys.argv[1:]]))
    with output(None) as stream:
        stream.write(json_report(outcome) if as_json else markdown(outcome))
    note(f"report written to {out / name}.md, .tex, .json and .html")


def _list(as_json: bool) -> None:
    """Print the experiments."""
    import json

    from keyseq.experiments.definition import available, load
    from keyseq.tables import render

    known = [load(name) for name in available()]
    with output(None) as out:
        if as_json:
            rows = [{"name": one.name, "title": one.title, "table": one.table} for one in known]
            out.write(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
        else:
            table = [[one.name, one.table, one.title] for one in known]
            out.write(render(["experiment", "in the paper", "description"], table))


def _network(given: str) -> tuple[str, Path]:
    name, equals, folder = given.partition("=")
    if not (name and equals and folder):
        raise KeyseqError(f"--network {given}: write NAME=DIR, such as catseq=runs/catseq")
    if not Path(folder).is_dir():
        raise KeyseqError(f"--network {given}: no such folder: {folder}")
    return name, Path(folder)
