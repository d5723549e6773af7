"""Training of rankers, for `keyseq train`: counting, and no torch."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from keyseq.cli.console import note, tell_skipped, track
from keyseq.errors import DataError, KeyseqError

if TYPE_CHECKING:
    from keyseq.extractive.trained import TrainedRanker
    from keyseq.types import Document

METRICS = ("present.f1@5", "present.f1@10", "present.f1@o")
ENOUGH = 50  # phrases a document, for scores


@dataclass(frozen=True, kw_only=True)
class Files:
    """What a ranker learns from, what it is scored on, where it goes, and its vocabulary."""

    train: list[Path]
    valid: Path | None
    out: Path
    vocabulary: Path | None
    skip_bad: bool


def train_ranker(name: str, files: Files, overrides: list[str], *, as_json: bool) -> None:
    """Train a ranker by its name, and write it into a new folder, whole or not at all."""
    from keyseq.config.single import overridden
    from keyseq.files import make_folder, write_whole_folder
    from keyseq.systems.registry import TRAINABLE, trainer

    module = trainer(name)
    settings = overridden(name, getattr(module, TRAINABLE[name].settings), overrides)
    more = {} if files.vocabulary is None else {"thesaurus": _thesaurus(name, files.vocabulary)}
    skipped: list[str] | None = [] if files.skip_bad else None
    make_folder(files.out.parent)
    with write_whole_folder(files.out) as partial:  # before the work, so that a folder which is there is told at once
        ranker = module.train(_documents(files.train, skipped), settings, track=track, **more)
        ranker.write(partial)
    outcome: dict[str, Any] = {"system": name, "documents": ranker.frequencies.documents, "out": str(files.out)}
    note(f"{name} learnt from {outcome['documents']:,} documents; keyseq generate --system {files.out} uses it")
    if files.valid is not None:
        outcome["valid"] = _scores(ranker, files.valid, skipped)
        told = (f"{metric} {100 * value:.2f}" for metric, value in outcome["valid"].items())
        note(f"{files.valid}: {', '.join(told)}")
    if as_json:
        typer.echo(json.dumps(outcome))
    tell_skipped(skipped)


def _thesaurus(name: str, path: Path) -> Any:  # noqa: ANN401  # a Thesaurus
    if name != "maui":
        raise KeyseqError(f"{name} has no --vocabulary; maui ranks the terms of one")
    from keyseq.extractive.thesaurus import Thesaurus

    return Thesaurus.load(path)


def _documents(paths: list[Path], skipped: list[str] | None) -> "Iterator[Document]":
    from keyseq.data.formats import read_documents

    for path in paths:
        for document in track(read_documents(path, skipped=skipped), str(path), source=path):
            if document.keyphrases is None:
                raise DataError(f"{path}: document '{document.id}' has no keyphrases to learn from")
            yield document


def _scores(ranker: "TrainedRanker", path: Path, skipped: list[str] | None) -> dict[str, float]:
    from keyseq.evaluation import evaluate

    documents = list(_documents([path], skipped))
    system = ranker.with_settings(top=ENOUGH)
    said = [[phrase.text for phrase in system.predict([one])[0]] for one in track(documents, path.name, len(documents))]
    scores = evaluate(documents, said, metrics=METRICS, processes=1)
    return {metric: scores.aggregate(metric) for metric in METRICS}
