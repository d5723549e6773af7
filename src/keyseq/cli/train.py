"""`keyseq train`: train a network, a ranker or a combined system on documents with keyphrases."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from keyseq.cli.console import SKIPPED, note, tell_skipped, track_steps
from keyseq.cli.training_display import shown
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.systems.registry import Entry
    from keyseq.systems.training_job import TrainingJob, TrainingOutcome


def train(
    train: Annotated[list[Path], typer.Option("--train", metavar="FILE", help="A training corpus; may be repeated.")],
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the run; an existing run of a network is resumed.")
    ],
    config: Annotated[
        str | None,
        typer.Argument(
            metavar="[SYSTEM]",
            help="A network (catseq, catseqd, …, or a TOML file), a ranker (kea, maui), or combined;"
            " none to fine-tune a network with --from.",
            show_default=False,
        ),
    ] = None,
    valid: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A validation corpus, to select the best checkpoint or to score a ranker; fine-tuning without SYSTEM"
            " can take it from the training corpus.",
        ),
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="CODE", help="Language of the texts, by its ISO 639-1 code. [default: en]")
    ] = None,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Change a setting; may be repeated.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="NETWORK",
            help="Network to fine-tune: a name such as scholar, a run, an exported network, a hub id.",
        ),
    ] = None,
    new_words: Annotated[
        int, typer.Option(min=0, metavar="N", help="With --from: words to add to its vocabulary.")
    ] = 0,
    vectors: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Pretrained word vectors: a word and its numbers per line."),
    ] = None,
    titles: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="With training.titles: documents, with or without keyphrases, whose titles to learn; may be repeated."
            " [default: those of --train]",
        ),
    ] = None,
    vocabulary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="For maui: controlled vocabulary; see docs/how-to/vocabularies.md.",
        ),
    ] = None,
    network: Annotated[
        str | None,
        typer.Option(
            metavar="NETWORK",
            help="For combined: a network as a source of candidates (a name or a folder), or none. [default: none]",
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="A folder of encoded corpora that runs can share. [default: OUT/corpus]"),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Processes that encode the corpus. [default: all cores]")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Threads that train a network. [default: all cores]")
    ] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Skip records that cannot be read.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Train a network, a ranker or a combined system on documents with keyphrases; an interrupted run is resumed.

    \b
    keyseq train --from scholar --train mine.jsonl --out runs/mine
    keyseq train catseqd --train train.jsonl --valid valid.jsonl --out runs/catseqd
    keyseq train catseq --train train.jsonl --valid valid.jsonl --out runs/small --set training.steps=2000
    keyseq train kea --train train.jsonl --out kea --set kea.candidates=ngrams
    keyseq train maui --train train.jsonl --valid valid.jsonl --vocabulary terms.tsv --out maui
    keyseq train combined --train train.jsonl --valid valid.jsonl --network scholar-network --out mine
    keyseq train combined --train artikkelit.jsonl --language fi --out finnish
    """
    from keyseq.systems.training_job import ProgressDisplay, TrainingJob

    options = {
        "from": start,
        "new-words": new_words,
        "vectors": vectors,
        "titles": titles,
        "vocabulary": vocabulary,
        "network": network,
        "corpus": corpus,
        "processes": processes,
        "threads": threads,
    }
    given = {name: value for name, value in options.items() if value}
    job = TrainingJob(
        system=config or "",
        train=train,
        valid=valid,
        out=out,
        overrides=[*(overrides or ()), *_overrides(config, language, threads)],
        options=given,
        skip_bad=skip_bad,
        progress=ProgressDisplay(track=track_steps, note=note, training=shown),
    )
    trainer = _trainer(config, given)
    _check_corpora(job)
    outcome = trainer(job)
    if as_json and outcome.reports:
        typer.echo(json.dumps(outcome.record))
    tell_skipped(outcome.skipped)
    if outcome.skipped_count:
        raise typer.Exit(SKIPPED)


def _check_corpora(job: "TrainingJob") -> None:
    """Report a mistyped name of a corpus before the work begins; for networks, their training does."""
    from keyseq.data.formats import CorpusReading
    from keyseq.systems.registry import TRAINABLE

    if job.system in TRAINABLE:
        for corpus in (*job.train, *([job.valid] if job.valid else [])):
            CorpusReading().source(str(corpus))


def _trainer(name: str | None, given: Mapping[str, Any]) -> "Callable[[TrainingJob], TrainingOutcome]":
    """The function that trains a system or, without a name, fine-tunes a network."""
    from keyseq.systems.kinds import KINDS
    from keyseq.systems.registry import referred

    if name is None and "from" not in given:
        raise KeyseqError("name the SYSTEM to train (keyseq train --help), or the network to fine-tune with --from")
    entry = _entry(name or "")
    _refuse_others(name or "fine-tuning", entry, given)
    reference = KINDS[entry.kind].train if name else "keyseq.adapting.fine_tuning:fine_tune"
    return cast("Callable[[TrainingJob], TrainingOutcome]", referred(reference))


def _overrides(name: str | None, language: str | None, threads: int | None) -> Iterator[str]:
    """The settings that have flags of their own."""
    from keyseq.systems.kinds import KINDS

    if language:
        yield f"{KINDS[_entry(name or '').kind].section or name}.language={language}"
    if threads:
        yield f"training.threads={threads}"


def _entry(name: str) -> "Entry":
    """The entry of a trainable system; any other name is the settings of a network."""
    from keyseq.systems.registry import TRAINABLE, Entry

    return TRAINABLE.get(name) or Entry(description="", absent=True, kind="network")


def _refuse_others(name: str, entry: "Entry", given: Mapping[str, Any]) -> None:
    """Refuse options of other kinds of system."""
    from keyseq.systems.kinds import KINDS
    from keyseq.systems.registry import TRAINABLE

    for option in given:
        if option not in (*KINDS[entry.kind].options, *entry.options):
            kinds = [f"{kind}s" for kind, known in KINDS.items() if option in known.options]
            names = [other for other, known in TRAINABLE.items() if option in known.options]
            raise KeyseqError(f"--{option} is for {', '.join(kinds + names)}, not for {name}; leave it out")
