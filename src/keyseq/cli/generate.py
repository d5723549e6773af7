"""`keyseq generate`: print the keyphrases of texts."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from keyseq.cli.collection_output import CollectionOutput
from keyseq.cli.console import note, output, reading_report, tell_read, track
from keyseq.cli.origins import Origins
from keyseq.cli.reading_flags import reads_corpora
from keyseq.cli.setting_flags import flag
from keyseq.cli.sharded_output import ShardedOutput
from keyseq.cli.tagged_output import TaggedOutput
from keyseq.cli.vocabulary_flags import VocabularyTerms
from keyseq.errors import DataError, KeyseqError
from keyseq.files import bare_suffix, open_binary, write_whole_binary
from keyseq.systems.neural_settings import DecodingName, RankingName

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading, ReadingReport
    from keyseq.types import Document, Phrase

BY_SUFFIX = {".jsonl": "jsonl", ".json": "jsonl", ".csv": "csv", ".parquet": "parquet"}


@reads_corpora
def generate(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Texts or corpora; - is standard input.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system", "-s", metavar="NAME", help="A system (see keyseq systems), or the folder of a trained one."
        ),
    ] = None,
    top: Annotated[int | None, flag("top", "--top", "-n")] = None,
    min_score: Annotated[float | None, flag("min_score")] = None,
    beta: Annotated[float | None, flag("beta")] = None,
    present: Annotated[bool, typer.Option("--present", help="Only phrases that the text contains.")] = False,
    absent: Annotated[bool, typer.Option("--absent", help="Only phrases that the text does not contain.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Both present and absent phrases, the default.")] = False,
    candidates: Annotated[
        Literal["noun-phrases", "runs", "ngrams"] | None,
        typer.Option(help="Candidates of rankers such as textrank. [default: noun-phrases]"),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Language of the texts, such as de. [default: detected; for rankers: en]"),
    ] = None,
    frequencies: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Document frequencies for tfidf; see keyseq data frequencies.")
    ] = None,
    decoding: Annotated[DecodingName | None, flag("decoding")] = None,
    beam: Annotated[int | None, flag("beam")] = None,
    ranking: Annotated[RankingName | None, flag("ranking")] = None,
    min_share: Annotated[float | None, flag("min_share")] = None,
    vocabulary: Annotated[Path | None, flag("vocabulary", metavar="FILE")] = None,
    also_new: Annotated[bool | None, flag("also_new", "--also-new")] = None,
    allow_list: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The only phrases that may be returned; unlike --vocabulary, also for networks."
        ),
    ] = None,
    deny_list: Annotated[Path | None, typer.Option(metavar="FILE", help="Phrases to leave out, one per line.")] = None,
    format: Annotated[
        Literal["text", "jsonl", "csv", "bibtex", "ris", "csl-json", "marc", "marcxml", "xlsx", "parquet"] | None,
        typer.Option(
            "--format", "-f", help="Output format; by default from the name of --out, or text. Parts: jsonl, parquet."
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the evidence for each phrase, if the system has it; text or JSON.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="The same as --format jsonl.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="PATH", help="Output instead of standard output.")] = None,
    existing: Annotated[
        Literal["merge", "keep", "replace"] | None,
        typer.Option(
            help="Existing keywords of an entry in a library: add to them (merge), leave such entries unchanged (keep),"
            " or replace them. [default: merge]"
        ),
    ] = None,
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the column added to a table. [default: keyphrases]")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip records that cannot be read.")] = False,
    together: Annotated[
        bool, typer.Option("--together", help="The phrases that distinguish all documents together from a background.")
    ] = False,
    background: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="With --together: a corpus to compare with; by default, what the system was trained on.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Worker processes; --out is a folder of part files, resumable, or a library."
        ),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="[ADDRESS]",
            help="Actors of a Ray cluster instead: HOST:PORT, auto (this machine's cluster), or a new local one.",
        ),
    ] = None,
    part_size: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Documents per part file. [default: 1024]")
    ] = None,
    compress: Annotated[Literal["gz", "xz", "zst"] | None, typer.Option(help="Compression of part files.")] = None,
    *,
    reading: "CorpusReading",
) -> None:
    """Print the keyphrases of texts, best first.

    FILE may be a text, a PDF, a Word or LibreOffice document, a web page, an EPUB, a folder of such files, or a corpus
    in any format of keyseq data convert.

    If FILE is a BibTeX, RIS, CSL-JSON or MARC library or an Excel, CSV, TSV or Parquet table, and --out has the same
    format, the output is FILE with keywords added to its entries, or with a column of keyphrases, and everything else
    unchanged.

    With --workers or --ray, --out is a folder of part files in the order of the documents. Records that cannot be read
    are listed in its bad.jsonl. The same command resumes a run that was stopped.

    \b
    keyseq generate paper.txt
    keyseq generate paper.pdf --top 5
    keyseq generate papers/ --out keyphrases.csv
    keyseq generate paper.txt --explain --beta 2
    keyseq generate library.bib --out tagged.bib
    keyseq generate records.mrc --out tagged.mrc --existing keep --workers 4
    keyseq generate zotero.csv --out tagged.csv --column Tags
    keyseq generate corpus.jsonl.gz --system tfidf --out predictions.jsonl
    keyseq generate artikel.txt --language de
    keyseq generate artikel.txt --system textrank --language de
    keyseq generate corpus.jsonl.gz --workers 8 --out predictions/
    keyseq generate corpus.jsonl.gz --ray 10.0.0.1:6379 --format parquet --out predictions/
    keyseq generate results.ris --together --top 20 --out subjects.csv
    keyseq generate paper.txt --vocabulary thesaurus.ttl --also-new --explain
    keyseq generate paper.txt --system ./catseqd --decoding exhaustive --allow-list terms.txt
    """
    from keyseq.systems.recipe import Recipe

    if json and format not in (None, "jsonl"):
        raise KeyseqError(f"--json and --format {format} exclude each other; leave one out")
    chosen = format or ("jsonl" if json else None)
    written = chosen or BY_SUFFIX.get(bare_suffix(out) if out else "", "text")
    names = files or _standard_input()
    terms = VocabularyTerms(vocabulary=vocabulary, allow_list=allow_list, system=system, language=language)
    settings = {
        "top": top,
        "min_score": min_score,
        "beta": beta,
        "present": _present(present=present, absent=absent, every=every),
        **terms.settings(),
        "also_new": also_new,
        "deny": _listed(deny_list),
        "candidates": candidates,
        "language": language,
        "frequencies": frequencies,
        "decoding": decoding,
        "beam": beam,
        "ranking": ranking,
        "min_share": min_share,
    }
    recipe = Recipe(system=system, settings={name: value for name, value in settings.items() if value is not None})
    _note_if_none(system, absent=settings["present"] is False)
    collected = CollectionOutput(together=together, background=background, top=top, format=chosen, out=out)
    if collected.wanted(explain=explain, parts=workers is not None or ray is not None):
        collected.write(names, reading, recipe, skip_bad=skip_bad)
        return
    tagged = TaggedOutput(names=names, reading=reading, format=chosen, out=out, existing=existing, column=column)
    library = tagged.wanted()
    folder = ShardedOutput(out=out, format=chosen, workers=workers, ray=ray, part_size=part_size, compress=compress)
    processes = folder.library_workers(library) if library else None
    if explain:
        _check_explained(library or written, parts=library is None and folder.wanted)
    if library is None and folder.wanted:
        folder.fill(names, reading, recipe)
        return
    report = reading_report(skip_bad=skip_bad, textless=True)
    documents = terms.watched(_documents(names, tagged.reading_of(library) if library else reading, report))
    if library and processes:
        from keyseq.batch.in_order import phrases_in_order

        tagged.write(library, phrases_in_order(documents, recipe, processes))
    else:
        loaded = recipe.load()
        origins = Origins(loaded.name)
        predictions = origins.counted(recipe.predictions(loaded, documents))
        if library:
            tagged.write(library, ([phrase.text for phrase in phrases] for _, phrases in predictions))
        elif explain:
            _write_explained(predictions, written, out)
        else:
            concepts = terms.given or getattr(loaded, "gives_concepts", False)
            _write(predictions, "concepts" if concepts and written == "csv" else written, out)
        origins.tell(explain=explain)
    terms.tell()
    tell_read(report, tagged=library is not None)


def _check_explained(format: str, *, parts: bool) -> None:
    if parts:
        raise KeyseqError("--explain is not supported for part files; leave it out, or --workers and --ray")
    if format not in ("text", "jsonl"):
        raise KeyseqError(f"--explain is for text and JSON lines, not {format}; choose --format text or jsonl")


def _standard_input() -> list[str]:
    if sys.stdin.isatty():
        raise KeyseqError("no text; name a FILE, or pipe a text in (keyseq generate --help shows examples)")
    return ["-"]


def _present(*, present: bool, absent: bool, every: bool) -> bool | None:
    """Present phrases, absent phrases, or both."""
    given = [flag for flag, on in (("--present", present), ("--absent", absent), ("--all", every)) if on]
    if len(given) > 1:
        raise KeyseqError(f"{' and '.join(given)} exclude each other; leave one out, or both for all phrases")
    return None if every or not given else present


def _note_if_none(system: str | None, *, absent: bool) -> None:
    from keyseq.systems.registry import DEFAULT, entry_of

    name = system or DEFAULT
    if absent and not entry_of(name).absent:
        note(f"{name} is extractive and finds no absent phrases; see keyseq systems")


def _listed(path: Path | None) -> tuple[str, ...] | None:
    """The phrases of a file, one per line."""
    if path is None:
        return None
    with open_binary(path) as file:
        try:
            return tuple(line for line in file.read().decode("utf-8").splitlines() if line.strip())
        except UnicodeDecodeError:
            raise KeyseqError(f"{path}: not a list of phrases; it must be UTF-8 text, one phrase per line") from None


def _documents(names: list[str], reading: "CorpusReading", report: "ReadingReport") -> "Iterator[Document]":
    for name in names:
        number, textless = 0, len(report.textless or ())
        documents = track(reading.documents(name, report), name, source=name)
        for number, document in enumerate(documents, start=1):  # noqa: B007  # looked at below
            yield document
        if number == 0 and (empty := (report.textless or [])[textless:]):
            raise DataError(empty[0])
        if number == 0:
            note(f"{name}: contains no documents")


def _write_explained(predictions: "Iterable[tuple[Document, list[Phrase]]]", format: str, out: Path | None) -> None:
    from keyseq.predictions.writers import EXPLAINED

    with output(out) as file:
        EXPLAINED[format](predictions, file, explain=True)


def _write(predictions: "Iterable[tuple[Document, list[Phrase]]]", format: str, out: Path | None) -> None:
    from keyseq.predictions.writers import WRITERS

    if format == "parquet":
        _write_parquet(predictions, out)
        return
    with output(out) as file:
        WRITERS[format](predictions, file)


def _write_parquet(predictions: "Iterable[tuple[Document, list[Phrase]]]", out: Path | None) -> None:
    from keyseq.imports import require
    from keyseq.predictions.arrow import write_parquet

    if out is None:
        raise KeyseqError("parquet is a binary format; name a file to write with --out, or choose another --format")
    require("pyarrow", "parquet")
    with write_whole_binary(out) as file:
        write_parquet(predictions, file)
