"""`keyseq systems`: what there is to choose from."""

from typing import Annotated

import typer

from keyseq.cli.console import output


def systems(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the systems that turn texts into keyphrases, for generate --system; some must be trained first.

    \b
    keyseq systems
    keyseq generate paper.txt --system tfidf
    keyseq train kea --train train.jsonl --out kea
    """
    from keyseq.systems.registry import SYSTEMS, TRAINABLE
    from keyseq.tables import render

    with output(None) as out:
        if json:
            out.write(_json())
            return
        rows = [
            [f"{name}{_note(name)}", _phrases(entry.absent), entry.description]
            for name, entry in {**SYSTEMS, **TRAINABLE}.items()
        ]
        out.write(render(["system", "phrases", "what it is"], rows))


def _note(name: str) -> str:
    from keyseq.systems.registry import DEFAULT, TRAINABLE

    return " (default)" if name == DEFAULT else " (train it)" if name in TRAINABLE else ""


def _phrases(absent: bool) -> str:
    return "present and absent" if absent else "present"


def _json() -> str:
    import json

    from keyseq.systems.registry import DEFAULT, SYSTEMS, TRAINABLE

    rows = [
        {
            "name": name,
            "description": entry.description,
            "absent": entry.absent,
            "default": name == DEFAULT,
            "trainable": name in TRAINABLE,
            "package": entry.package or None,
        }
        for name, entry in {**SYSTEMS, **TRAINABLE}.items()
    ]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
