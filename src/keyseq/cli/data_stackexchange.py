"""`keyseq data stackexchange`: build a corpus from Stack Exchange dumps."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from keyseq.data.stackexchange import BuildSummary

from keyseq.cli.console import output, track


def stackexchange(
    dumps: Annotated[
        list[Path], typer.Argument(metavar="DUMP...", help="A site's .7z, its Posts.xml, or folders of them.")
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder for train, valid and test.")],
    sites: Annotated[
        str,
        typer.Option(help="Sites in folders: computer-science (19 sites), all, or a comma-separated list."),
    ] = "computer-science",
    valid: Annotated[int, typer.Option(min=0, help="Number of validation questions.")] = 16_000,
    test: Annotated[int, typer.Option(min=0, help="Number of test questions.")] = 16_000,
    seed: Annotated[int, typer.Option(help="Random seed of the split.")] = 0,
    train_tokens: Annotated[int, typer.Option(min=1, help="Maximum length of training texts.")] = 300,
    evaluation_tokens: Annotated[int, typer.Option(min=1, help="Maximum length of the other texts.")] = 1_000,
    compression: Annotated[Literal["none", "gz", "xz", "zst"], typer.Option(help="Output compression.")] = "none",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Build the StackEx corpus: title and text of questions as the source, their tags as keyphrases.

    Get the dumps from https://archive.org/details/stackexchange. Markup is removed and code kept; questions
    without text or a valid tag, and repeated texts, are left out and counted.

    \b
    keyseq data stackexchange dumps/ --out data/stackex
    keyseq data stackexchange cs.stackexchange.com.7z --out data/cs --valid 1000 --test 1000
    """
    from keyseq.data.dumps import find_dumps
    from keyseq.data.stackexchange import Split, build
    from keyseq.tables import render

    split = Split(valid=valid, test=test, seed=seed, train_tokens=train_tokens, evaluation_tokens=evaluation_tokens)
    suffix = ".jsonl" if compression == "none" else f".jsonl.{compression}"
    summary = build(find_dumps(dumps, sites), out, split, suffix=suffix, track=track)
    with output(None) as stdout:
        if as_json:
            stdout.write(json.dumps(asdict(summary), indent=2) + "\n")
        else:
            stdout.write(render(["", "number"], _rows(summary)))


def _rows(summary: "BuildSummary") -> list[tuple[str, int]]:
    return [
        ("posts read", summary.posts),
        *((f"questions of {site}", number) for site, number in summary.sites.items()),
        *((f"left out: {reason}", number) for reason, number in summary.dropped.items()),
        *((f"written to {name}", number) for name, number in summary.splits.items()),
    ]
