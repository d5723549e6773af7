"""The flags that `evaluate` and `compare` share."""

import os
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from keyseq.cli.console import declared, note, track
from keyseq.errors import KeyseqError, MissingExtraError
from keyseq.files import bare_suffix

if TYPE_CHECKING:
    from keyseq.evaluation.protocols import Protocol
    from keyseq.evaluation.scoring import Scores
    from keyseq.evaluation.semantic import PhraseEncoder
    from keyseq.evaluation.system_outputs import SystemOutputs
    from keyseq.vocabularies.controlled_vocabulary import ControlledVocabulary

ORACLE = "oracle"
ALL = "all"  # protocols
BY_SUFFIX = {".md": "markdown", ".tex": "latex", ".json": "json", ".html": "html"}
OTHERS = (".csv", ".tsv", ".xlsx", ".parquet", ".pdf", ".docx", ".odt", ".png", ".svg")  # formats of no report
SHOWN = 100  # documents in an HTML report

Gold = Annotated[str, typer.Argument(metavar="GOLD", help="A named dataset, or a corpus with keyphrases.")]
Convention = Annotated[
    str, typer.Option(help="Evaluation protocol: yuan2020, meng2017, chan2019, multilingual or annif.")
]
Conventions = Annotated[
    str,
    typer.Option(
        help="Evaluation protocol: yuan2020, meng2017, chan2019, multilingual or annif; all: the first three."
    ),
]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="RULE=VALUE", help="Override a protocol rule.")]
Language = Annotated[
    str | None, typer.Option(metavar="CODE", help="The language of texts and phrases, such as de. [default: en]")
]
Metrics = Annotated[
    list[str] | None, typer.Option(metavar="NAME,…", help="Such as present.f1@5,absent.recall@50,all.map.")
]
Vocabulary = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="For --protocol annif: the labels and URIs of each concept; see generate."),
]
Semantic = Annotated[
    bool, typer.Option("--semantic", help="Add semantic precision, recall and F1 (KPEval), if there is a model.")
]
SemanticModel = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Sentence-embedding model. [default: that of keyseq's extra 'semantic']"),
]
TopSequence = Annotated[bool, typer.Option("--top-sequence", help="Use only the best sequence of a .pred file.")]
Format = Annotated[
    Literal["text", "markdown", "latex", "json", "html"] | None,
    typer.Option(help="Output format; by default from the name of --out, or text."),
]
AsJson = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
Shown = Annotated[int, typer.Option("--documents", min=0, help="Number of documents in an HTML report.")]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Output file instead of standard output.", callback=declared)
]
Split = Annotated[str, typer.Option(help="Split of a named dataset.")]
Data = Annotated[Path | None, typer.Option(metavar="DIR", help="Data directory; defaults to KEYSEQ_DATA.")]


def labelled(files: Sequence[Path]) -> dict[str, Path]:
    """Label files by their stems, or by full names where stems collide."""
    twice = [str(file) for place, file in enumerate(files) if file in files[:place]]
    if twice:
        raise KeyseqError(f"{twice[0]} is given twice; each prediction file is a separate system")
    labels = [file.name.split(".")[0] or file.name for file in files]
    clear = len(set(labels)) == len(labels) and ORACLE not in labels
    return dict(zip(labels if clear else map(str, files), files, strict=True))


def rules_of(protocol: str, settings: Sequence[str] | None, language: str | None = None) -> "Protocol":
    """Find a protocol, with RULE=VALUE and --language overrides."""
    from keyseq.evaluation import protocols

    if protocol == ALL:
        raise KeyseqError("--protocol all is for keyseq evaluate; choose one protocol to compare systems under")
    for setting in settings or ():
        if "=" not in setting:
            raise KeyseqError(f"--set {setting}: write RULE=VALUE, such as documents=all")
    pairs = (setting.split("=", 1) for setting in settings or ())
    overrides = {rule.strip(): value.strip() for rule, value in pairs}
    return protocols.find(protocol, overrides if language is None else {"language": language, **overrides})


def format_of(format: str | None, as_json: bool, out: Path | None) -> str:
    """The format of a report: as requested, otherwise by the suffix of its file."""
    if as_json or format or out is None:
        return "json" if as_json else format or "text"
    suffix = bare_suffix(out)
    if suffix in OTHERS:
        raise KeyseqError(f"{out}: a report is not written as {suffix}; name it .txt, .md, .tex, .json or .html")
    return BY_SUFFIX.get(suffix, "text")


def names_of(metrics: Sequence[str] | None) -> list[str] | None:
    """Split comma-separated names; None for the metrics of the paper."""
    return [name for given in metrics or () for name in given.split(",")] or None


def vocabulary_of(path: Path | None, rules: "Protocol") -> "ControlledVocabulary | None":
    """Read the vocabulary, which only a protocol that compares concepts can use."""
    if path is None:
        return None
    if rules.compare != "concepts":
        raise KeyseqError(f"--vocabulary is for concepts, and {rules.name} compares stems; add --protocol annif")
    from keyseq.cli.vocabulary_flags import read_with_notes

    return read_with_notes(path, rules.analyzer)


def scored(
    outputs: "SystemOutputs",
    gold: Path,
    rules: "Protocol",
    metrics: list[str] | None,
    vocabulary: "ControlledVocabulary | None" = None,
    semantic_model: "PhraseEncoder | None" = None,
) -> "dict[str, Scores]":
    """Score every system on all cores, with a progress bar each."""
    return outputs.scores(
        rules,
        metrics,
        processes=os.cpu_count(),
        track=partial(track, source=gold),
        vocabulary=vocabulary,
        semantic_model=semantic_model,
    )


def encoder_of(metrics: Sequence[str] | None, semantic: bool, model: Path | None) -> "PhraseEncoder | None":
    """The sentence-embedding model, if metrics need one; None, with a note, if it is missing for --semantic."""
    from keyseq.evaluation.metrics import parse

    asked = any(parse(name).definition.semantic for name in metrics or ())
    if not (asked or semantic or model):
        return None
    from keyseq.evaluation.embedding_models import MissingModelError
    from keyseq.evaluation.semantic import load_encoder

    try:
        return load_encoder(model)
    except (MissingModelError, MissingExtraError) as error:
        if asked or model:
            raise
        note(f"semantic scores are left out: {error}")
        return None


def with_semantic(metrics: list[str] | None, rules: "Protocol") -> list[str]:
    """The metrics that were asked for, or the usual ones, and the semantic ones."""
    from keyseq.evaluation.evaluator import usual_metrics
    from keyseq.evaluation.metrics import SEMANTIC

    return list(dict.fromkeys([*(metrics or usual_metrics(rules)), *SEMANTIC]))


def tell_separators(files: Iterable[Path], separator: str) -> None:
    """Note prediction files whose phrases seem to be separated by another mark."""
    from keyseq.predictions.phrase_separators import separator_hint

    for file in files:
        if hint := separator_hint(file, separator):
            note(hint)
