"""The predictions of systems on test sets: decoded in parts, so that a killed run resumes, and cached by key."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from keyseq.experiments.corpora import digest
from keyseq.experiments.training import Ready
from keyseq.experiments.workspace import Workspace, key
from keyseq.files import make_folder, write_whole
from keyseq.predictions.readers import read_predictions
from keyseq.predictions.writers import write_jsonl
from keyseq.systems import load
from keyseq.systems.fingerprint import fingerprint
from keyseq.types import Document, System

PART = 64  # documents that are decoded again at most after a stop


@dataclass(frozen=True, slots=True)
class CachedPredictions:
    """The phrases of each document, best first, and their file."""

    phrases: list[list[str]]
    file: Path


def predict(
    system: Ready, name: str, decoding: str, documents: Sequence[Document], workspace: Workspace
) -> CachedPredictions:
    """Predict the documents, or read the predictions of an earlier run; `decoding` is for systems that decode."""
    file = workspace.folder("predictions") / f"{name}-{prediction_key(system, decoding, documents)}.jsonl"
    label = f"{name} {decoding}" if system.kind.decodes else name
    with workspace.alone(file):
        if not file.is_file():
            loaded = load(system.place, **_settings(system, decoding))
            _write(loaded, documents, file, partial(_shown, workspace, label))
    return CachedPredictions([prediction.phrases for prediction in read_predictions(file)], file)


def prediction_key(system: Ready, decoding: str, documents: Sequence[Document]) -> str:
    """The cache key: the system, the decoding, and everything it reads of the documents."""
    return key(fingerprint(system.place, _settings(system, decoding)), digest(documents))


def _settings(system: Ready, decoding: str) -> dict[str, Any]:
    """The settings under which experiments measure a system."""
    return {**system.kind.measured, **({"decoding": decoding} if system.kind.decodes else {})}


def _shown(workspace: Workspace, label: str, starts: range) -> Iterator[int]:
    return workspace.progress.track(starts, f"decoding: {label}", len(starts))


def _write(system: System, documents: Sequence[Document], file: Path, shown: Callable[[range], Iterator[int]]) -> None:
    """Write the missing parts, and then all of them as one file."""
    parts = file.with_suffix(".parts")
    make_folder(parts)
    starts = range(0, len(documents), PART)
    for start in shown(starts):
        part = parts / f"{start:08}.jsonl"
        if not part.is_file():
            batch = documents[start : start + PART]
            with write_whole(part) as out:
                write_jsonl(zip(batch, system.predict(batch), strict=True), out)
    with write_whole(file) as whole:
        whole.writelines((parts / f"{start:08}.jsonl").read_text(encoding="utf-8") for start in starts)
    shutil.rmtree(parts)
