"""The command line: each command parses flags and calls the library. Data go to stdout, everything else to stderr.

A command is imported only to be run.
"""

import signal
import sys
from collections.abc import Sequence
from functools import cache
from types import FrameType
from typing import Annotated, Any, NamedTuple

import typer

from keyseq.cli.overwrite_flag import writes_files
from keyseq.cli.standard_streams import streams_checked
from keyseq.errors import KeyseqError
from keyseq.imports import referred
from keyseq.overwriting import inputs_protected
from keyseq.version import __version__

USER_ERROR = 2
LIST = "--help"


class _Command(NamedTuple):
    """A command: where its function is, its description in the list, and whether it has the flag --overwrite."""

    function: str
    short_help: str  # short, since the list truncates longer sentences
    writes: bool = False
    kind: str = ""  # where its class is, if it is not the usual one


_COMMANDS = {
    "generate": _Command(
        "generate:generate", "Print the keyphrases of texts, best first.", True, "sharded_output:AddressOptional"
    ),
    "systems": _Command("systems:systems", "List the systems that generate can use."),
    "serve": _Command("serve:serve", "Serve keyphrases over HTTP, with a web page."),
    "evaluate": _Command("evaluate:evaluate", "Score predictions against gold keyphrases.", True),
    "compare": _Command("compare:compare", "Test whether systems differ significantly.", True),
    "adapt": _Command("adapt:adapt", "Make your own system from documents with tags."),
    "train": _Command("train:train", "Train a network or a ranker."),
    "learn": _Command("learn:learn", "Learn from accepted and rejected phrases."),
    "average": _Command("average:average", "Average the weights of several networks."),
    "export": _Command("export:export", "Export a trained network to ONNX."),
    "calibrate": _Command("calibrate:calibrate", "Calibrate the number and ranking of phrases."),
    "experiment": _Command("experiment:experiment", "Reproduce the paper's tables and figures."),
}
_DATA = {
    "clean": _Command("data_clean:clean", "Clean a corpus: repair, filter, deduplicate.", True),
    "convert": _Command("data_convert:convert", "Convert a corpus from one format to another.", True),
    "drop": _Command("data_drop:drop", "Drop keyphrases from texts (KPDrop).", True),
    "fill": _Command("data_fill:fill", "Rank keyphrases, and add predicted ones.", True),
    "frequencies": _Command("data_frequencies:frequencies", "Count document frequencies for tfidf.", True),
    "leaks": _Command("data_leaks:leaks", "List training documents copied from test sets."),
    "list": _Command("data_list:list_datasets", "List the named datasets."),
    "stats": _Command("data_stats:stats", "Print the paper's dataset statistics.", True),
    "stackexchange": _Command(
        "data_stackexchange:stackexchange", "Build the StackEx corpus from the public dump.", True
    ),
}
_VOCABULARY = {
    "compile": _Command(
        "vocabulary_compile:compile_vocabulary", "Compile a vocabulary, so that it loads at once.", True
    ),
}


def _add(group: typer.Typer, commands: dict[str, _Command], listed: bool = False) -> None:
    """Add commands to a group; those that are only `listed` cannot be run."""
    for name, command in commands.items():
        if listed:
            group.command(name, short_help=command.short_help)(_listed)
            continue
        function = referred(f"keyseq.cli.{command.function}")
        kind = {"cls": referred(f"keyseq.cli.{command.kind}")} if command.kind else {}
        run = writes_files(function) if command.writes else function
        group.command(name, short_help=command.short_help, **kind)(run)


@cache
def application(only: str | None = None) -> typer.Typer:
    """The command line with all commands, to run but one of them, or to `LIST` them."""
    app = typer.Typer(
        name="keyseq",
        help="Keyphrase generation: the keyphrases that a text contains and those that it implies.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # rich's help costs 0.1 s at every start, and re-wraps the examples
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_keyseq)
    if only in _COMMANDS:
        _add(app, {only: _COMMANDS[only]})
        return app
    data = typer.Typer(
        name="data", help="Read, convert, count and build corpora.", no_args_is_help=True, rich_markup_mode=None
    )
    vocabulary = typer.Typer(
        name="vocabulary", help="Prepare controlled vocabularies.", no_args_is_help=True, rich_markup_mode=None
    )
    vocabulary.callback()(_vocabulary)
    for group, commands in ((app, _COMMANDS), (data, _DATA), (vocabulary, _VOCABULARY)):
        _add(group, commands, listed=only == LIST)
    app.add_typer(data)
    app.add_typer(vocabulary)
    return app


def __getattr__(name: str) -> Any:
    if name == "app":
        return application()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _listed() -> None:
    """Stand in for a command whose description is all that is wanted."""


def _vocabulary() -> None:
    """Keep the name of the only command."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"keyseq {__version__}")
        raise typer.Exit


def _keyseq(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  # its callback prints it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    context.with_resource(inputs_protected())


def main() -> None:
    """Run the command line: a user error is one sentence and exit code 2, never a traceback."""
    signal.signal(signal.SIGTERM, _leave)
    try:
        with streams_checked():
            application(_asked(sys.argv[1:]))()
    except KeyseqError as error:
        sys.stderr.write(f"keyseq: {error}\n")
        sys.exit(USER_ERROR)


def _asked(arguments: Sequence[str]) -> str | None:
    """The command that arguments begin with, if they do; `LIST` if they ask for all."""
    if list(arguments) in ([], ["-h"], ["--help"]):
        return LIST
    return arguments[0] if arguments and arguments[0] in _COMMANDS else None


def _leave(number: int, _frame: FrameType | None) -> None:
    """Exit through the cleanup handlers, which remove partial files."""
    sys.exit(128 + number)
