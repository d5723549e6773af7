"""`keyseq data list`: the named datasets."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from keyseq.cli.console import note, output


def list_datasets(
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Data directory; defaults to KEYSEQ_DATA.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all details as JSON.")] = False,
) -> None:
    """List the named datasets: the number of documents of each split, and which splits are in the data directory.

    With --json, also their formats, licences, home pages and how to get them.

    \b
    keyseq data list
    keyseq data list --data data --json
    """
    from keyseq.data.datasets import DATASETS, SPLITS, found_splits
    from keyseq.tables import render

    datasets = DATASETS.working()
    found = {name: found_splits(name, data) for name in datasets}
    with output(None) as out:
        if as_json:
            entries = [{"name": name, **asdict(dataset), "found": found[name]} for name, dataset in datasets.items()]
            out.write(json.dumps(entries, indent=2, ensure_ascii=False) + "\n")
        else:
            rows = [
                [name, *map(dataset.splits.get, SPLITS), ", ".join(found[name]) or None, dataset.about]
                for name, dataset in datasets.items()
            ]
            out.write(render(["Name", *SPLITS, "found", "description"], rows))
    for name in DATASETS:
        if problem := DATASETS.problem(name):
            note(problem)
