"""`keyseq evaluate`: score predictions by a protocol."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from keyseq.cli import scoring_flags as shared
from keyseq.cli.console import declared, output, track
from keyseq.cli.reading_flags import reads_corpora
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading


def _explain(wanted: bool) -> None:
    if wanted:
        from keyseq.evaluation.explanation import explain

        typer.echo(explain(), nl=False)
        raise typer.Exit


@reads_corpora
def evaluate(
    gold: shared.Gold,
    predictions: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PRED]...", help="Prediction files, one row each: JSON, CSV, lines of 'a; b; c', or .pred."
        ),
    ] = None,
    protocol: shared.Conventions = "yuan2020",
    settings: shared.Settings = None,
    language: shared.Language = None,
    metrics: shared.Metrics = None,
    vocabulary: shared.Vocabulary = None,
    oracle: Annotated[bool, typer.Option("--oracle", help="Add a row with the gold phrases as predictions.")] = False,
    semantic: shared.Semantic = False,
    semantic_model: shared.SemanticModel = None,
    top_sequence: shared.TopSequence = False,
    per_document: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the scores of every document: .jsonl, .csv or .tsv.", callback=declared
        ),
    ] = None,
    per_subject: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the scores of every subject: .jsonl, .csv or .tsv.", callback=declared
        ),
    ] = None,
    format: shared.Format = None,
    as_json: shared.AsJson = False,
    documents: shared.Shown = shared.SHOWN,
    out: shared.Out = None,
    split: shared.Split = "test",
    data: shared.Data = None,
    explain: Annotated[  # noqa: ARG001
        bool,
        typer.Option("--explain", callback=_explain, is_eager=True, help="Describe all rules and metrics, and exit."),
    ] = False,
    *,
    reading: "CorpusReading",
) -> None:
    """Score predictions against gold keyphrases; every score has a signature that describes how it was computed.

    \b
    keyseq evaluate inspec predictions.jsonl --data data
    keyseq evaluate gold.jsonl catseq.pred mine.jsonl --oracle --format latex
    keyseq evaluate gold.jsonl mine.txt --protocol chan2019 --set precision=predicted --metrics present.f1@5
    keyseq evaluate gold.jsonl mine.txt --separator , --protocol all
    keyseq evaluate gold.jsonl mine.jsonl --semantic
    keyseq evaluate gold.jsonl mine.jsonl --protocol multilingual --language de
    keyseq evaluate annif-corpus/ subjects.jsonl --protocol annif --vocabulary terms.ttl --per-subject subjects.tsv
    keyseq evaluate gold.jsonl mine.jsonl --format html --out report.html
    """
    from keyseq.data.datasets import locate
    from keyseq.evaluation import Scores
    from keyseq.evaluation.metrics import parse
    from keyseq.evaluation.per_document import SCORES_PER_DOCUMENT, write_per_document
    from keyseq.evaluation.per_subject import SCORES_PER_SUBJECT, write_per_subject
    from keyseq.evaluation.report import render_scores
    from keyseq.evaluation.row_file import check_row_file
    from keyseq.evaluation.side_by_side import COMPARABLE, ProtocolScores
    from keyseq.evaluation.significance import compare
    from keyseq.evaluation.system_outputs import SystemOutputs

    if protocol == shared.ALL and (per_document or per_subject):
        raise KeyseqError("--per-document and --per-subject need one protocol; choose it with --protocol")
    if per_document is not None:
        check_row_file(per_document, SCORES_PER_DOCUMENT)
    if per_subject is not None:
        check_row_file(per_subject, SCORES_PER_SUBJECT)
    chosen = COMPARABLE if protocol == shared.ALL else (protocol,)
    rules = {name: shared.rules_of(name, settings, language) for name in chosen}
    terms = shared.vocabulary_of(vocabulary, rules[chosen[0]])
    files, corpora = shared.labelled(predictions or []), locate([gold], split, data)
    kind = shared.format_of(format, as_json, out)
    _check(files, corpora, oracle, kind)
    names = shared.names_of(metrics)
    encoder = shared.encoder_of(names, semantic, semantic_model)
    shared.tell_separators(files.values(), reading.columns.separator)
    by_protocol: dict[str, dict[str, Scores]] = {name: {} for name in chosen}
    for corpus, path in corpora.items():
        read = SystemOutputs.from_files((corpus, path), files, reading=reading, top_sequence=top_sequence)
        for name in chosen:
            label = shared.ORACLE if len(corpora) == 1 else f"{shared.ORACLE} of {corpus}"
            outputs = read.with_oracle(label, rules[name]) if oracle else read
            asked = shared.with_semantic(names, rules[name]) if encoder else names
            by_protocol[name] |= shared.scored(outputs, path, rules[name], asked, terms, encoder)
    systems = by_protocol[chosen[0]]
    if protocol == shared.ALL:
        report = ProtocolScores(by_protocol).page() if kind == "html" else ProtocolScores(by_protocol).rendered(kind)
    elif kind == "html":
        shown = [name for name in next(iter(systems.values())).metrics if not parse(name).of_subjects]
        report = outputs.html(compare(systems, shown, tests=(), progress=track), documents)
    else:
        report = render_scores(systems, format=kind)
    if per_document is not None:
        write_per_document(systems, per_document)
    if per_subject is not None:
        write_per_subject(systems, per_subject)
    with output(out) as file:
        file.write(report)


def _check(files: Mapping[str, Path], corpora: Mapping[str, Path], oracle: bool, format: str) -> None:
    if not files and not oracle:
        raise KeyseqError("nothing to score; give prediction files, or --oracle")
    if files and len(corpora) > 1:
        raise KeyseqError(f"predictions need one gold corpus, not a folder of {len(corpora)}: {', '.join(corpora)}")
    if format == "html" and len(corpora) > 1:
        raise KeyseqError(f"an HTML report needs one gold corpus, not a folder of {len(corpora)}: {', '.join(corpora)}")
