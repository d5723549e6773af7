"""`keyseq learn`: learn from the corrections of users."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli.console import note, track
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.systems.learnt_versions import Version

REFUSED = 1  # exit code where the new version was not activated


def learn(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a combined system.")],
    corrections: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="Corrections, one JSON object per line: text, title, accepted, rejected, added;"
            " by default, the feedback that a server has stored in DIR.",
            show_default=False,
        ),
    ] = None,
    held_out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Documents with keyphrases for the check. [default: those kept in DIR]"),
    ] = None,
    rollback: Annotated[bool, typer.Option("--rollback", help="Go back to the previous version.")] = False,
    use: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Use version N; 0 is the system as it was trained.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Learn from feedback on phrases: which were accepted, rejected and added for which texts.

    Similar texts then get what was accepted or added, and not what was rejected. The new version is activated unless
    it is significantly worse on held-out documents; running servers that were started with --learn DIR switch
    to it. All versions are kept.

    \b
    keyseq learn mine corrections.jsonl
    keyseq learn mine
    keyseq learn mine --rollback
    """
    from keyseq.adapting.feedback_learning import Learning
    from keyseq.adapting.feedback_log import read_feedback

    if sum((rollback, use is not None, corrections is not None)) > 1:
        raise KeyseqError("FILE, --rollback and --use exclude each other; give one of them")
    learning = Learning(folder, held_out, track, note)
    if rollback or use is not None:
        version = learning.rollback() if use is None else learning.use(use)
        told = f"{folder}: uses version {version.number}{'' if version.number else ', the system as it was trained'}"
    else:
        version = learning.learn(read_feedback(corrections) if corrections else ())
        told = _told(folder, version)
    if as_json:
        typer.echo(json.dumps(asdict(version)))
    note(told)
    if version.refused and use is None:
        raise typer.Exit(REFUSED)


def _told(folder: Path, version: "Version") -> str:
    """What was learnt, in a sentence."""
    learnt = f"version {version.number} learnt {version.verdicts:,} verdicts on {version.documents:,} documents"
    if version.refused:
        return (
            f"{folder}: {learnt} and is not used, since it is worse: {version.refused};"
            f" keyseq learn {folder} --use {version.number} uses it nevertheless"
        )
    scores = version.scores
    checked = f"; F1@M on {scores['documents']:,} held-out documents" if scores else ""
    values = f" {100 * scores['before']:.1f} → {100 * scores['after']:.1f}" if scores else ""
    return f"{folder}: {learnt}{checked}{values}; keyseq learn {folder} --rollback goes back"
