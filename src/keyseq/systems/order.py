"""Which of the phrases that a search finds are a document's own, learnt from documents: the order called "learnt"."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from keyseq.config import OrderSettings
from keyseq.decoding.order import features
from keyseq.errors import KeyseqError
from keyseq.files import write_whole
from keyseq.runtime.onnx import SETTINGS, ExportedNetwork
from keyseq.systems.neural import NeuralSystem
from keyseq.text.presence import Source, phrase_stems
from keyseq.text.stem import stems
from keyseq.types import Document

BATCH = 32  # documents of a search, which all cores share
ROUNDS = 1_000
ENOUGH = 1e-9  # a step that changes no weight by more is the last


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """An order, and what speaks for it: of the first phrases of a search, as many as a document has, how many are the
    document's, on average over the documents it was learnt from; and how many are in the published order."""

    order: OrderSettings
    documents: int
    own: float
    published: float


@dataclass(frozen=True, slots=True)
class Found:
    """What a search finds in a document, in the published order."""

    features: NDArray[np.float64]  # (N, 3)
    own: NDArray[np.bool_]  # (N,) whether it is one of the document's keyphrases
    keyphrases: int  # that the document has

    def precision(self, scores: NDArray[np.float64]) -> float:
        """The part of the first phrases that are the document's, of as many as it has."""
        first = np.argsort(-scores, kind="stable")[: self.keyphrases]
        return float(self.own[first].sum()) / self.keyphrases


def learn(
    folder: Path,
    documents: Iterable[Document],
    track: Callable[[Iterable[Document]], Iterable[Document]] = lambda documents: documents,
) -> Lesson:
    """Learn the order of a network's phrases from documents with keyphrases, and store it in the network's folder."""
    system = NeuralSystem.from_pretrained(str(folder), decoding="exhaustive", cut=True, ranking="sequence")
    known = list(_found(system, (document for document in track(documents) if document.keyphrases)))
    if not known:
        raise KeyseqError("no document with keyphrases to learn an order from")
    lesson = fit(known)
    with write_whole(folder / SETTINGS) as file:
        file.write(replace(ExportedNetwork(folder).settings, order=lesson.order).to_toml())
    return lesson


def fit(known: Sequence[Found]) -> Lesson:
    """Tell a document's own phrases from others by a logistic regression; without any of both, nothing is learnt."""
    own = np.concatenate([found.own for found in known])
    order, weights = OrderSettings(), np.zeros(4)
    if own.any() and not own.all():
        weights = regression(np.concatenate([found.features for found in known]), own)
        order = OrderSettings(**dict(zip(_NAMES, (round(float(weight), 4) for weight in weights), strict=True)))
    return Lesson(
        order=order,
        documents=len(known),
        own=float(np.mean([found.precision(found.features @ weights[:3]) for found in known])),
        published=float(np.mean([found.precision(np.zeros(len(found.own))) for found in known])),
    )


_NAMES = ("share", "probability", "occurrences", "bias")


def regression(features: NDArray[np.float64], labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The weights of a logistic regression, that of the bias last; a prior of variance 1 keeps them finite.

    Each step solves the quadratic that bounds the likelihood from below, so it never goes too far.
    """
    inputs = np.column_stack([features, np.ones(len(features))])
    bound = np.linalg.inv(inputs.T @ inputs / 4 + np.eye(inputs.shape[1]))
    weights = np.zeros(inputs.shape[1])
    for _ in range(ROUNDS):
        chances = np.exp(-np.logaddexp(0, -(inputs @ weights)))
        step = bound @ (inputs.T @ (labels - chances) - weights)
        weights += step
        if np.abs(step).max() < ENOUGH:
            break
    return weights


def _found(system: NeuralSystem, documents: Iterator[Document]) -> Iterator[Found]:
    """What a search finds in each document that has words to read, and keyphrases of words."""
    tokenizer = system.model.target.tokenizer
    while batch := list(islice(documents, BATCH)):
        for window, found in system.searched([Source(document.text, tokenizer) for document in batch]):
            keyphrases = batch[window.document].keyphrases or ()
            keys = {tuple(phrase_stems(phrase, tokenizer)) for phrase in keyphrases} - {()}
            own = np.array([tuple(stems(one.words)) in keys for one in found], dtype=bool)
            if keys:
                yield Found(features(found, window.words), own, len(keys))
