"""`keyseq evaluate`: how good predictions are, and by which convention."""

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from keyseq.cli.console import output, track
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.evaluation.evaluator import Predictions

ORACLE = "oracle"


def _explain(wanted: bool) -> None:
    if wanted:
        from keyseq.evaluation.explanation import explain

        typer.echo(explain(), nl=False)
        raise typer.Exit


def evaluate(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="A named dataset, or a corpus with keyphrases.")],
    predictions: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PRED", help="Prediction files, each a row: JSON lines, 'a; b; c' a line, or .pred."),
    ] = None,
    from_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The gold's format, if its name does not tell.")
    ] = None,
    protocol: Annotated[str, typer.Option(help="The convention: yuan2020, meng2017 or chan2019.")] = "yuan2020",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="RULE=VALUE", help="Set one rule of the protocol otherwise.")
    ] = None,
    metrics: Annotated[
        list[str] | None, typer.Option(metavar="NAME,…", help="Such as present.f1@5,absent.recall@50,all.map.")
    ] = None,
    oracle: Annotated[bool, typer.Option("--oracle", help="Add a row with the gold phrases as predictions.")] = False,
    top_sequence: Annotated[
        bool, typer.Option("--top-sequence", help="Of a .pred file, take the phrases of the best sequence alone.")
    ] = False,
    per_document: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the value of every document: .jsonl or .csv.")
    ] = None,
    format: Annotated[Literal["text", "markdown", "latex", "json"], typer.Option(help="How to print.")] = "text",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write there, not to standard output.")] = None,
    split: Annotated[str, typer.Option(help="Which split of a named dataset.")] = "test",
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the data is; else KEYSEQ_DATA.")] = None,
    explain: Annotated[  # noqa: ARG001
        bool,
        typer.Option("--explain", callback=_explain, is_eager=True, help="Tell all rules and metrics, and stop."),
    ] = False,
) -> None:
    """Score predictions against gold keyphrases, each score with the signature of how it was computed.

    \b
    keyseq evaluate inspec predictions.jsonl --data data
    keyseq evaluate gold.jsonl catseq.pred mine.jsonl --oracle --format latex
    keyseq evaluate gold.jsonl mine.txt --protocol chan2019 --set precision=predicted --metrics present.f1@5
    """
    from keyseq.data.datasets import locate
    from keyseq.data.formats import read_documents
    from keyseq.evaluation import evaluate as score
    from keyseq.evaluation import oracle as gold_phrases
    from keyseq.evaluation import protocols
    from keyseq.evaluation.per_document import check_name, write_per_document
    from keyseq.evaluation.predictions import read_predictions
    from keyseq.evaluation.report import render_scores

    if per_document is not None:
        check_name(per_document)
    rules = protocols.find(protocol, _overrides(settings or []))
    names = [name for given in metrics or [] for name in given.split(",")] or None
    files, corpora = _labelled(predictions or []), locate([gold], split, data)
    _check(files, corpora, oracle)
    systems = {}
    for corpus, path in corpora.items():
        read = partial(read_documents, path, format=from_format)
        said: dict[str, Predictions] = {
            label: read_predictions(file, top_sequence=top_sequence) for label, file in files.items()
        }
        if oracle:
            said[ORACLE if len(corpora) == 1 else f"{ORACLE} of {corpus}"] = gold_phrases(read(), rules)
        for label, phrases in said.items():
            documents = track(read(), label)
            systems[label] = score(
                documents, phrases, protocol=rules, metrics=names, name=corpus, processes=os.cpu_count()
            )
    if per_document is not None:
        write_per_document(systems, per_document)
    with output(out) as file:
        file.write(render_scores(systems, format=format))


def _overrides(settings: Sequence[str]) -> dict[str, str]:
    """Take RULE=VALUE apart."""
    for setting in settings:
        if "=" not in setting:
            raise KeyseqError(f"--set {setting}: write RULE=VALUE, such as documents=all")
    return {rule.strip(): value.strip() for rule, value in (setting.split("=", 1) for setting in settings)}


def _labelled(files: Sequence[Path]) -> dict[str, Path]:
    """Name files by the beginning of their names, or in full where that is the same for two."""
    labels = [file.name.split(".")[0] or file.name for file in files]
    clear = len(set(labels)) == len(labels) and ORACLE not in labels
    return dict(zip(labels if clear else map(str, files), files, strict=True))


def _check(files: Mapping[str, Path], corpora: Mapping[str, Path], oracle: bool) -> None:
    if not files and not oracle:
        raise KeyseqError("nothing to score: give prediction files, or --oracle")
    if files and len(corpora) > 1:
        raise KeyseqError(f"predictions need one gold corpus, not a folder of {len(corpora)}: {', '.join(corpora)}")
