"""Semantic matching of phrases: SemP, SemR and SemF1 of KPEval (Wu et al., 2024).

A prediction is as right as the most similar gold phrase, and a gold phrase as found as the most similar prediction: the
cosine of their embeddings, 1 for phrases with the same stems and 0 below 0. Nothing is downloaded.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from keyseq.evaluation.embedding_models import load_embedding_model
from keyseq.evaluation.metrics import Floats, Name, harmonic

KEPT = 200_000  # embeddings of phrases that are not computed again
BATCH = 256

Vectors = NDArray[np.float32]


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
    """Load a sentence-embedding model from a folder; by default, the usual one, if it is on this machine."""
    found = load_embedding_model() if model is None else load_embedding_model(str(model))
    digest = _digest(found.folder) if found.folder else "unknown"
    encode = found.model.encode
    return PhraseEncoder(f"{found.name}:{digest}", lambda phrases: encode(phrases, show_progress_bar=False))


def _digest(folder: Path) -> str:
    """The beginning of the digest of the weights, so that signatures distinguish models of the same name."""
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
