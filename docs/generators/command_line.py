"""The reference of the command line: what `--help` of every command prints."""

from collections.abc import Iterator

import typer
from typer.testing import CliRunner

from keyseq.cli import app

INTRODUCTION = """\
# Command line

Generated from `keyseq COMMAND --help`. Results go to standard output, messages to standard error. The exit code is 0
on success, 1 if some records could not be used and 2 if the command is wrong or cannot be carried out.
"""


def page() -> str:
    """The page, in Markdown."""
    sections = (f"## {' '.join(path)}\n\n```text\n{_help(path[1:])}\n```\n" for path in _paths())
    return "\n".join([INTRODUCTION, *sections])


def _paths() -> Iterator[tuple[str, ...]]:
    """Every command by its words, groups before their members."""
    yield ("keyseq",)
    for command in app.registered_commands:
        yield ("keyseq", _name(command))
    for group in app.registered_groups:
        assert group.typer_instance is not None
        name = group.typer_instance.info.name
        assert isinstance(name, str)
        yield ("keyseq", name)
        for command in group.typer_instance.registered_commands:
            yield ("keyseq", name, _name(command))


def _name(command: typer.models.CommandInfo) -> str:
    assert command.callback is not None
    return command.name or command.callback.__name__.replace("_", "-")


def _help(arguments: tuple[str, ...]) -> str:
    """The help as a terminal of 100 columns shows it."""
    ran = CliRunner().invoke(app, [*arguments, "--help"], terminal_width=100, prog_name="keyseq", color=False)
    if ran.exit_code:
        raise RuntimeError(f"keyseq {' '.join(arguments)} --help: {ran.output}")
    return ran.output.strip()
