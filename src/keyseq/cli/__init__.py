"""The command line: each command parses flags and calls the library. Data go to stdout, everything else to stderr."""

import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from keyseq.cli.adapt import adapt
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
from keyseq.cli.learn import learn
from keyseq.cli.overwrite_flag import writes_files
from keyseq.cli.serve import serve
from keyseq.cli.sharded_output import AddressOptional
from keyseq.cli.standard_streams import streams_checked
from keyseq.cli.systems import systems
from keyseq.cli.train import train
from keyseq.cli.vocabulary_compile import compile_vocabulary
from keyseq.errors import KeyseqError
from keyseq.overwriting import inputs_protected
from keyseq.version import __version__

USER_ERROR = 2

app = typer.Typer(
    name="keyseq",
    help="Keyphrase generation: the keyphrases that a text contains and those that it implies.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich's help costs 0.1 s at every start, and re-wraps the examples
    context_settings={"help_option_names": ["-h", "--help"]},
)
data = typer.Typer(
    name="data", help="Read, convert, count and build corpora.", no_args_is_help=True, rich_markup_mode=None
)
vocabulary = typer.Typer(
    name="vocabulary", help="Prepare controlled vocabularies.", no_args_is_help=True, rich_markup_mode=None
)
# short helps: the list of commands truncates longer sentences
app.command(cls=AddressOptional, short_help="Print the keyphrases of texts, best first.")(writes_files(generate))
app.command(short_help="List the systems that generate can use.")(systems)
app.command(short_help="Serve keyphrases over HTTP, with a web page.")(serve)
app.command(short_help="Score predictions against gold keyphrases.")(writes_files(evaluate))
app.command(short_help="Test whether systems differ significantly.")(writes_files(compare))
app.command(short_help="Make your own system from documents with tags.")(adapt)
app.command(short_help="Train a network or a ranker.")(train)
app.command(short_help="Learn from accepted and rejected phrases.")(learn)
app.command(short_help="Average the weights of several networks.")(average)
app.command(short_help="Export a trained network to ONNX.")(export)
app.command(short_help="Calibrate the number and ranking of phrases.")(calibrate)
app.command(short_help="Reproduce the paper's tables and figures.")(experiment)
app.add_typer(data)
app.add_typer(vocabulary)

data.command(short_help="Clean a corpus: repair, filter, deduplicate.")(writes_files(clean))
data.command(short_help="Convert a corpus from one format to another.")(writes_files(convert))
data.command(short_help="Drop keyphrases from texts (KPDrop).")(writes_files(drop))
data.command(short_help="Rank keyphrases, and add predicted ones.")(writes_files(fill))
data.command(short_help="Count document frequencies for tfidf.")(writes_files(frequencies))
data.command(short_help="List training documents copied from test sets.")(leaks)
data.command("list", short_help="List the named datasets.")(list_datasets)
data.command(short_help="Print the paper's dataset statistics.")(writes_files(stats))
data.command(short_help="Build the StackEx corpus from the public dump.")(writes_files(stackexchange))

vocabulary.command("compile", short_help="Compile a vocabulary, so that it loads at once.")(
    writes_files(compile_vocabulary)
)


@vocabulary.callback()
def _vocabulary() -> None:
    """Keep the name of the only command."""


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
    """Run the command line: a user error is one sentence and exit code 2, never a traceback."""
    signal.signal(signal.SIGTERM, _leave)
    try:
        with streams_checked():
            app()
    except KeyseqError as error:
        sys.stderr.write(f"keyseq: {error}\n")
        sys.exit(USER_ERROR)


def _leave(number: int, _frame: FrameType | None) -> None:
    """Exit through the cleanup handlers, which remove partial files."""
    sys.exit(128 + number)
