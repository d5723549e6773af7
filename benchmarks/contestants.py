"""What is compared with Annif, each as the commands that train it and that assign subjects."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from keyseq.errors import KeyseqError
from keyseq.predictions.readers import Prediction, read_predictions

PROGRAM = (sys.executable, "-m", "keyseq")
VOCABULARY = ("--vocabulary", "vocabulary.tsv")
KEYSEQ_BOUND = "keyseq, vocabulary"
LIMIT = 10  # subjects that are assigned, as `annif eval` has it

# Settings of Annif's backends, after its documentation; they were not tuned to these corpora
ANALYZERS = {"en": "snowball(english)", "fi": "simplemma(fi)"}
BONSAI = {"cluster_balanced": False, "cluster_k": 100, "max_depth": 3, "min_df": 2, "ngram": 2}
FASTTEXT = {"dim": 200, "lr": 0.5, "epoch": 20, "loss": "hs", "min_count": 3, "chunksize": 500}
BACKENDS: Mapping[str, Mapping[str, object]] = {
    "tfidf": {"backend": "tfidf"},
    "mllm": {"backend": "mllm"},
    "omikuji": {"backend": "omikuji", **BONSAI},
    "fasttext": {"backend": "fasttext", **FASTTEXT},
}
ENSEMBLES = {"questions": {"mllm": 1, "omikuji": 3}, "finnish": {"tfidf": 1, "mllm": 2, "omikuji": 1}}

# Settings of keyseq: a smaller ranker and table train faster; tried on validation documents alone
SMALLER = ("ranked=1000", "tested=100", "most_rows=80000")
ADAPTATION: Mapping[str, Sequence[str]] = {
    "questions": ("trees=150", "leaves=16", "rate=0.12", *SMALLER),
    "finnish": ("stemmer=simplemma-fi", *SMALLER),
}


@dataclass(frozen=True)
class Contestant:
    """A system: `train` are the commands that make it, `assign` that which gives subjects to the documents of a file.

    `parts` are others that must be trained before; what it takes to train them counts as its own.
    """

    name: str
    train: Sequence[Sequence[str]]
    assign: Callable[[Path, Path], Sequence[str]]
    suffix: str  # of the files that it reads
    folder: Path  # of what it has learnt
    read: Callable[[Path], list[Prediction]]
    parts: tuple[str, ...] = ()
    is_single: bool = False  # a backend of Annif's that is no ensemble


@dataclass(frozen=True)
class Spent:
    """Time that a command took: by the clock, and of all processors."""

    seconds: float
    processor: float


def run(command: Sequence[str], folder: Path) -> Spent:
    """Run a command in a folder; what it says is the reason if it fails."""
    before, started = _processor(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise KeyseqError(lines[-1] if lines else f"{command[0]} failed")
    return Spent(time.perf_counter() - started, _processor() - before)


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def contestants(corpus: str, language: str, folder: Path, annif: Path) -> list[Contestant]:
    """All that are compared on a corpus that was written to a folder."""
    singles = [_annif(annif, name, folder) for name in BACKENDS]
    return [*singles, _ensemble(annif, corpus, folder), *_keyseq(corpus, language, folder)]


def write_projects(corpus: str, language: str, path: Path) -> None:
    """Annif's configuration."""
    common = {"language": language, "vocab": "subjects", "analyzer": ANALYZERS[language], "limit": 100}
    sources = ",".join(f"{name}:{weight}" for name, weight in ENSEMBLES[corpus].items())
    projects = {**BACKENDS, "ensemble": {"backend": "ensemble", "sources": sources}}
    lines = []
    for name, own in projects.items():
        settings = {"name": name, **common, **own}
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in settings.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _annif(annif: Path, name: str, folder: Path) -> Contestant:
    return Contestant(
        name=f"Annif {name}",
        train=[(str(annif), "train", name, "train.tsv", "--jobs", str(os.cpu_count() or 1))],
        assign=lambda source, target: _index(annif, name, source, target),
        suffix=".tsv",
        folder=folder / "data" / "projects" / name,
        read=_read_annif,
        is_single=True,
    )


def _ensemble(annif: Path, corpus: str, folder: Path) -> Contestant:
    return Contestant(
        name="Annif ensemble",
        train=[],
        assign=lambda source, target: _index(annif, "ensemble", source, target),
        suffix=".tsv",
        folder=folder / "data" / "projects" / "ensemble",
        read=_read_annif,
        parts=tuple(f"Annif {name}" for name in ENSEMBLES[corpus]),
    )


def _index(annif: Path, project: str, source: Path, target: Path) -> Sequence[str]:
    return str(annif), "index", project, str(source), "--limit", str(LIMIT), "--output", str(target), "--no-include-doc"


def _read_annif(path: Path) -> list[Prediction]:
    records = (json.loads(line)["results"] for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Prediction(None, [one["label"] for one in found], f"{path}:{number}", [one["uri"] for one in found])
        for number, found in enumerate(records, start=1)
    ]


def _keyseq(corpus: str, language: str, folder: Path) -> list[Contestant]:
    """`keyseq adapt`, from the corpus alone, with and without the vocabulary."""
    return [_adapted(corpus, language, folder / "free", ()), _adapted(corpus, language, folder / "bound", VOCABULARY)]


def _adapted(corpus: str, language: str, folder: Path, more: Sequence[str]) -> Contestant:
    settings = [part for one in ADAPTATION[corpus] for part in ("--set", f"adapt.{one}")]
    train = ("adapt", "train.jsonl", "--from", "none", "--language", language, "--out", folder.name, *settings, *more)
    generate = ("--system", f"./{folder.name}", "--top", str(LIMIT), *(("--min-score", "0.001") if more else ()))
    return Contestant(
        name=KEYSEQ_BOUND if more else "keyseq",
        train=[(*PROGRAM, *train)],
        assign=lambda source, target: (*PROGRAM, "generate", str(source), *generate, "--json", "--out", str(target)),
        suffix=".jsonl",
        folder=folder,
        read=lambda path: list(read_predictions(path)),
    )
