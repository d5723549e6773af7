"""The flag --overwrite of every verb that writes a file: without it, what is there already is not replaced."""

import functools
import inspect
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from keyseq.cli.flag_groups import Verb, sign
from keyseq.overwriting import allow_overwriting, refuse_existing

OUTPUTS = ("out", "target", "plot", "report", "per_document", "per_subject")  # parameters that name what is written


def _allow(wanted: bool) -> bool:
    if wanted:
        allow_overwriting()
    return wanted


FLAG = Annotated[
    bool, typer.Option("--overwrite", is_eager=True, callback=_allow, help="Replace files that are there already.")
]


def writes_files(verb: Verb) -> Verb:
    """Give a verb the flag, and refuse to replace the files that its outputs name, before any work.

    An output that is also an input is left to the verb, which may be able to change it without loss.
    """

    @functools.wraps(verb)
    def run(**given: Any) -> None:
        given.pop("overwrite", None)
        for path in _outputs(given):
            if not any(_same(path, other) for other in _inputs(given)) and not _is_standard_input(path):
                refuse_existing(path)
        verb(**given)

    sign(run, list(inspect.signature(verb).parameters.values()), {"overwrite": FLAG}, default=False)
    return run


def _outputs(given: Mapping[str, Any]) -> Iterable[Path]:
    return (Path(given[name]) for name in OUTPUTS if given.get(name) not in (None, "-"))


def _inputs(given: Mapping[str, Any]) -> Iterable[str | Path]:
    for name, value in given.items():
        if name not in OUTPUTS:
            yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str | Path))


def _is_standard_input(path: Path) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(sys.stdin.fileno()))
    except (OSError, ValueError, AttributeError):  # it is missing, or standard input is not a file
        return False


def _same(path: Path, other: str | Path) -> bool:
    try:
        return path.samefile(other)
    except (OSError, ValueError):  # one of them does not exist, or is not a file name
        return False
