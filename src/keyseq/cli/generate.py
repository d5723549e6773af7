"""`keyseq generate`: texts to keyphrases."""

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from keyseq.cli.console import note, output, tell_skipped, track
from keyseq.cli.phrase_formats import DIGITS, WRITERS
from keyseq.errors import KeyseqError
from keyseq.files import bare_suffix

if TYPE_CHECKING:
    from keyseq.types import Document, Phrase, System

BATCH = 64  # documents that a system gets at a time
LIBRARIES = {".bib": "bibtex", ".bibtex": "bibtex", ".ris": "ris"}
BY_SUFFIX = {**LIBRARIES, ".jsonl": "jsonl", ".json": "jsonl", ".csv": "csv"}


def generate(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Texts or corpora; - is standard input.")
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", "-s", metavar="NAME", help="Which system; see keyseq systems.")
    ] = None,
    top: Annotated[int | None, typer.Option("--top", "-n", min=1, help="How many phrases at most.")] = None,
    min_score: Annotated[float, typer.Option(min=0, max=1, help="Only phrases of this score or more.")] = 0.0,
    present: Annotated[
        bool | None, typer.Option("--present/--absent", help="Only phrases that the text contains, or does not.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Both; what is done without a choice.")] = False,
    format: Annotated[
        Literal["text", "jsonl", "csv", "bibtex", "ris"] | None,
        typer.Option("--format", "-f", help="How to write; else by the name of --out, else text."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format jsonl.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write there, not to standard output.")] = None,
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The format of FILE, if its name does not tell.")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Pass over records that cannot be read.")] = False,
) -> None:
    """Print the keyphrases of texts, best first.

    FILE may be a text, a Markdown file, or a corpus in any format that keyseq data convert knows. A BibTeX or RIS
    library comes back as it was, with keywords added, if --out names one.

    \b
    keyseq generate paper.txt
    pdftotext paper.pdf - | keyseq generate --top 5
    keyseq generate library.bib --out tagged.bib
    keyseq generate corpus.jsonl.gz --system tfidf --out predictions.jsonl
    """
    from keyseq.systems import SYSTEMS

    chosen = format or ("jsonl" if json else None) or BY_SUFFIX.get(bare_suffix(out) if out else "", "text")
    names = files or _standard_input()
    present = None if every else present
    wanted = _selection(present, min_score)
    loaded = _load(system, top)
    if present is False and not SYSTEMS[loaded.name].absent:
        note(f"{loaded.name} finds phrases in the text, so there are no absent ones; see keyseq systems")
    skipped: list[str] | None = [] if skip_bad else None
    documents = _documents(names, from_format, skipped)
    predictions = ((document, wanted(phrases)) for document, phrases in _predictions(loaded, documents))
    _write(predictions, chosen, names, out)
    tell_skipped(skipped)


def _standard_input() -> list[str]:
    if sys.stdin.isatty():
        raise KeyseqError("no text: name a FILE, or pipe a text in (keyseq generate --help shows examples)")
    return ["-"]


def _load(name: str | None, top: int | None) -> "System":
    from keyseq.systems import load

    return load(name) if top is None else load(name, top=top)


def _selection(present: bool | None, min_score: float) -> "Callable[[list[Phrase]], list[Phrase]]":
    def wanted(phrase: "Phrase") -> bool:
        # as written out, so that a score which was read off an earlier answer includes its phrase
        return round(phrase.score, DIGITS) >= min_score and present in (None, phrase.present)

    return lambda phrases: list(filter(wanted, phrases))


def _documents(names: list[str], format: str | None, skipped: list[str] | None) -> "Iterator[Document]":
    from keyseq.data.formats import read_documents

    for name in names:
        yield from track(read_documents(name, format=format, skipped=skipped), name)


def _predictions(system: "System", documents: "Iterable[Document]") -> "Iterator[tuple[Document, list[Phrase]]]":
    remaining = iter(documents)
    while batch := list(itertools.islice(remaining, BATCH)):
        yield from zip(batch, system.predict(batch), strict=True)


def _write(
    predictions: "Iterable[tuple[Document, list[Phrase]]]", format: str, names: list[str], out: Path | None
) -> None:
    if format in WRITERS:
        with output(out) as file:
            WRITERS[format](predictions, file)
        return
    if len(names) != 1 or LIBRARIES.get(bare_suffix(Path(names[0]))) != format:
        raise KeyseqError(f"{format} is written by adding keywords to a library: name one {format} file to read")
    from keyseq.data.libraries import annotate

    with output(out) as file:
        annotate(Path(names[0]), ([phrase.text for phrase in phrases] for _, phrases in predictions), file)
