"""`keyseq compare`: whether systems differ significantly."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from keyseq.cli import scoring_flags as shared
from keyseq.cli.console import declared, output, track
from keyseq.cli.reading_flags import reads_corpora
from keyseq.errors import KeyseqError

if TYPE_CHECKING:
    from keyseq.data.formats import CorpusReading


@reads_corpora
def compare(
    gold: shared.Gold,
    predictions: Annotated[
        list[Path], typer.Argument(metavar="PRED...", help="Two or more prediction files; the first is the baseline.")
    ],
    protocol: shared.Convention = "yuan2020",
    settings: shared.Settings = None,
    language: shared.Language = None,
    metrics: shared.Metrics = None,
    vocabulary: shared.Vocabulary = None,
    semantic: shared.Semantic = False,
    semantic_model: shared.SemanticModel = None,
    top_sequence: shared.TopSequence = False,
    test: Annotated[
        Literal["bootstrap", "randomization", "both"],
        typer.Option(help="Paired bootstrap, approximate randomization, or both."),
    ] = "both",
    samples: Annotated[int, typer.Option(min=1, help="Number of resamples.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 12345,
    level: Annotated[float, typer.Option(help="Confidence level of the intervals.")] = 0.95,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw scores with their intervals: .pdf, .png or .svg.", callback=declared),
    ] = None,
    format: shared.Format = None,
    as_json: shared.AsJson = False,
    documents: shared.Shown = shared.SHOWN,
    out: shared.Out = None,
    split: shared.Split = "test",
    data: shared.Data = None,
    *,
    reading: "CorpusReading",
) -> None:
    """Compare systems with a baseline, the first: scores, confidence intervals, differences and p values.

    \b
    keyseq compare inspec baseline.jsonl mine.jsonl --data data
    keyseq compare gold.jsonl a.pred b.pred c.pred --metrics present.f1@5,present.f1@o --plot scores.png
    keyseq compare gold.jsonl a.jsonl b.jsonl --format html --out report.html
    """
    from keyseq import figures
    from keyseq.data.datasets import locate
    from keyseq.evaluation import plots, significance
    from keyseq.evaluation.metrics import parse
    from keyseq.evaluation.report import render_comparison
    from keyseq.evaluation.resampling import Resampling
    from keyseq.evaluation.system_outputs import SystemOutputs

    if len(predictions) < 2:
        raise KeyseqError("compare needs two or more prediction files; use keyseq evaluate for one")
    if plot is not None:
        figures.check(plot)
    kind = shared.format_of(format, as_json, out)
    resampling = Resampling(samples=samples, seed=seed, level=level)
    rules, files = shared.rules_of(protocol, settings, language), shared.labelled(predictions)
    corpora = locate([gold], split, data)
    if len(corpora) > 1:
        raise KeyseqError(f"predictions need one gold corpus, not a folder of {len(corpora)}: {', '.join(corpora)}")
    [(corpus, path)] = corpora.items()
    outputs = SystemOutputs.from_files((corpus, path), files, reading=reading, top_sequence=top_sequence)
    terms = shared.vocabulary_of(vocabulary, rules)
    asked = shared.names_of(metrics)
    encoder = shared.encoder_of(asked, semantic, semantic_model)
    shared.tell_separators(files.values(), reading.columns.separator)
    asked = shared.with_semantic(asked, rules) if encoder else asked
    systems = shared.scored(outputs, path, rules, asked, terms, encoder)
    scored = next(iter(systems.values())).metrics
    names = [name for name in scored if metrics or not parse(name).of_subjects]
    tests = significance.TESTS if test == "both" else (test,)
    comparison = significance.compare(systems, names, resampling, tests, track)
    if plot is not None:
        plots.draw(comparison, plot)
    report = outputs.html(comparison, documents) if kind == "html" else render_comparison(comparison, kind)
    with output(out) as file:
        file.write(report)
