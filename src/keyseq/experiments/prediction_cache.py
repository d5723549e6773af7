"""The predictions of systems on test sets: decoded in parts, so that a killed run resumes, and cached by key."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keyseq.batch.parts import Parts
from keyseq.batch.shards import Shard
from keyseq.data.parallel import Track, chunked
from keyseq.experiments.corpora import digest
from keyseq.experiments.training import Ready
from keyseq.experiments.workspace import Workspace, key
from keyseq.files import make_folder, write_whole
from keyseq.predictions.readers import read_predictions
from keyseq.systems.fingerprint import fingerprint
from keyseq.systems.recipe import Recipe
from keyseq.types import Document

PART = 64  # documents of a part file, which are decoded again if a run is stopped meanwhile


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
            recipe = Recipe(system=system.place, settings=_settings(system, decoding))
            _write(recipe, documents, file, workspace.progress.track, f"decoding: {label}")
    return CachedPredictions([prediction.phrases for prediction in read_predictions(file)], file)


def prediction_key(system: Ready, decoding: str, documents: Sequence[Document]) -> str:
    """The cache key: the system, the decoding, and everything it reads of the documents."""
    return key(fingerprint(system.place, _settings(system, decoding)), digest(documents))


def _settings(system: Ready, decoding: str) -> dict[str, Any]:
    """The settings under which experiments measure a system."""
    return {**system.kind.measured, **({"decoding": decoding} if system.kind.decodes else {})}


def _write(recipe: Recipe, documents: Sequence[Document], file: Path, track: Track, description: str) -> None:
    """Write the missing part files, and then all of them as one file."""
    parts = Parts(file.with_suffix(".parts"))
    make_folder(parts.folder)
    shards = [Shard(number, chunk) for number, chunk in enumerate(chunked(documents, PART))]
    missing = [shard for shard in shards if not parts.path(shard.number).exists()]
    system = recipe.load()
    for shard in track(missing, description, len(missing)):
        parts.write(shard.made(recipe.predictions(system, shard.documents), parts.format))
    with write_whole(file) as whole:
        whole.writelines(parts.path(shard.number).read_text(encoding="utf-8") for shard in shards)
    shutil.rmtree(parts.folder)
