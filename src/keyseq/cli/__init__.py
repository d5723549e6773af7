"""The command line: flags to one library call. Data goes to standard output, all else to standard error."""

import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from keyseq.cli.average import average
from keyseq.cli.calibrate import calibrate
from keyseq.cli.compare import compare
from keyseq.cli.data_clean import clean
from keyseq.cli.data_convert import convert
from keyseq.cli.data_drop import drop
from keyseq.cli.data_fill import fill
from keyseq.cli.data_frequencies import frequencies
from keyseq.cli.data_leaks import leaks
from keyseq.cli.data_list import list_datasets
from keyseq.cli.data_stackexchange import stackexchange
from keyseq.cli.data_stats import stats
from keyseq.cli.evaluate import evaluate
from keyseq.cli.experiment import experiment
from keyseq.cli.export import export
from keyseq.cli.generate import generate
from keyseq.cli.serve import serve
from keyseq.cli.sharded_output import AddressOptional
from keyseq.cli.systems import systems
from keyseq.cli.train import train
from keyseq.errors import KeyseqError
from keyseq.overwriting import inputs_protected
from keyseq.version import __version__

USER_ERROR = 2

app = typer.Typer(
    name="keyseq",
    help="A text's keyphrases: as many as it deserves, those it contains and those it only means.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich's help costs 0.1 s at every start, and re-wraps the examples
    context_settings={"help_option_names": ["-h", "--help"]},
)
data = typer.Typer(
    name="data", help="Read, convert, count and build corpora.", no_args_is_help=True, rich_markup_mode=None
)
# short helps: of a longer sentence the list of commands shows half
app.command(cls=AddressOptional, short_help="Print the keyphrases of texts, best first.")(generate)
app.command(short_help="List the systems that generate can use.")(systems)
app.command(short_help="Answer over HTTP, with a page to try it.")(serve)
app.command(short_help="Score predictions against gold keyphrases.")(evaluate)
app.command(short_help="Tell whether systems differ by more than chance.")(compare)
app.command(short_help="Train a network or a ranker.")(train)
app.command(short_help="Make one network of several.")(average)
app.command(short_help="Write a trained network to run without torch.")(export)
app.command(short_help="Fit how many phrases a network says, and in which order.")(calibrate)
app.command(short_help="Measure the paper's tables and figures anew.")(experiment)
app.add_typer(data)

data.command(short_help="Repair a corpus, drop bad documents and copies.")(clean)
data.command(short_help="Convert a corpus from one format to another.")(convert)
data.command(short_help="Cut keyphrases out of their texts.")(drop)
data.command(short_help="Rank keyphrases, and add what a system found.")(fill)
data.command(short_help="Count what is rare in your field, for tfidf.")(frequencies)
data.command(short_help="List copies of evaluation documents.")(leaks)
data.command("list", short_help="List the datasets that have a name.")(list_datasets)
data.command(short_help="Print statistics of corpora, as the paper does.")(stats)
data.command(short_help="Build the StackEx corpus from the public dump.")(stackexchange)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"keyseq {__version__}")
        raise typer.Exit


@app.callback()
def _keyseq(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  # its callback prints it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    context.with_resource(inputs_protected())


def main() -> None:
    """Run the command line: a user's mistake is one sentence and exit code 2, never a traceback."""
    signal.signal(signal.SIGTERM, _leave)
    try:
        app()
    except KeyseqError as error:
        sys.stderr.write(f"keyseq: {error}\n")
        sys.exit(USER_ERROR)


def _leave(number: int, _frame: FrameType | None) -> None:
    """End by way of everything that clears up, such as files that are half-written."""
    sys.exit(128 + number)
