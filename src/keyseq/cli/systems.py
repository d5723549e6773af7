"""`keyseq systems`: what there is to choose from."""

from typing import Annotated

import typer

from keyseq.cli.console import output


def systems(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the systems that turn texts into keyphrases, for generate --system.

    \b
    keyseq systems
    keyseq generate paper.txt --system tfidf
    """
    from keyseq.systems import DEFAULT, SYSTEMS
    from keyseq.tables import render

    with output(None) as out:
        if json:
            out.write(_json(DEFAULT))
            return
        rows = [
            [f"{name} (default)" if name == DEFAULT else name, _phrases(entry.absent), entry.description]
            for name, entry in SYSTEMS.items()
        ]
        out.write(render(["system", "phrases", "what it is"], rows))


def _phrases(absent: bool) -> str:
    return "present and absent" if absent else "present"


def _json(default: str) -> str:
    import json

    from keyseq.systems import SYSTEMS

    rows = [
        {"name": name, "description": entry.description, "absent": entry.absent, "default": name == default}
        for name, entry in SYSTEMS.items()
    ]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
