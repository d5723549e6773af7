"""`keyseq systems`: list the available systems."""

from typing import Annotated, Any

import typer

from keyseq.cli.console import note, output


def systems(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the systems that turn texts into keyphrases, for generate --system; some must be trained first.

    \b
    keyseq systems
    keyseq generate paper.txt --system tfidf
    keyseq train kea --train train.jsonl --out kea
    """
    from keyseq.systems.registry import SYSTEMS
    from keyseq.tables import render

    rows = [_row(name) for name in _names()]
    with output(None) as out:
        out.write(_json(rows) if json else render(["system", "phrases", "description"], [_cells(row) for row in rows]))
    for name in SYSTEMS:
        if problem := SYSTEMS.problem(name):
            note(problem)


def _names() -> list[str]:
    """The systems that can be used or trained; a plug-in that cannot be loaded is reported separately."""
    from keyseq.systems.registry import SYSTEMS, TRAINABLE

    return [*SYSTEMS.working(), *TRAINABLE]


def _row(name: str) -> dict[str, Any]:
    from keyseq.systems.registry import DEFAULT, SYSTEMS, TRAINABLE

    trainable = name in TRAINABLE
    entry = TRAINABLE[name] if trainable else SYSTEMS[name]
    origin = None if trainable else SYSTEMS.origin(name)
    return {
        "name": name,
        "kind": entry.kind,
        "description": entry.description,
        "absent": entry.absent,
        "default": name == DEFAULT,
        "trainable": trainable,
        "package": origin or entry.package or None,
    }


def _cells(row: dict[str, Any]) -> list[str]:
    remark = " (default)" if row["default"] else " (train it)" if row["trainable"] else ""
    return [f"{row['name']}{remark}", "present and absent" if row["absent"] else "present", row["description"]]


def _json(rows: list[dict[str, Any]]) -> str:
    import json

    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
