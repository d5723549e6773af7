"""Which of the phrases that a search finds are a document's own, learnt from documents: the order called "learnt"."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from keyseq.config import OrderSettings
from keyseq.decoding.order import FEATURES, features, logistic
from keyseq.errors import KeyseqError
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.systems.neural import Model, NeuralSettings, NeuralSystem
from keyseq.text.presence import SourceText, phrase_stems
from keyseq.text.stem import stems
from keyseq.types import Document

BATCH = 32  # documents of a search, which all cores share
ROUNDS = 100
ENOUGH = 1e-9  # a step that changes no weight by more is the last


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankingFit:
    """An order, and what speaks for it: of the first phrases of a search, as many as a document has, how many are the
    document's, on average over the documents it was learnt from; and how many are in the published order."""

    weights: OrderSettings
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


def fit_reranking(exported: ExportedNetwork, documents: Iterable[Document]) -> RerankingFit:
    """Learn the order of a network's phrases from what it finds in documents with keyphrases."""
    model = Model(GraphStepper(exported), exported.vocabulary, exported.settings.target)
    system = NeuralSystem("search", model, NeuralSettings(decoding="exhaustive", cut=True))
    known = list(_found(system, iter(documents)))
    if not known:
        raise KeyseqError("no document with keyphrases to learn an order from")
    return fit(known)


def fit(known: Sequence[Found]) -> RerankingFit:
    """Tell a document's own phrases from others by a logistic regression.

    Where that puts no more of them first than the published order does, nothing is learnt, and that order stays.
    """
    weights = regression(
        np.concatenate([found.features for found in known]), np.concatenate([found.own for found in known])
    )
    own = float(np.mean([found.precision(found.features @ weights[:-1]) for found in known]))
    published = float(np.mean([found.precision(np.zeros(len(found.own))) for found in known]))
    rounded = dict(zip((*FEATURES, "bias"), weights.round(4).tolist(), strict=True))
    learnt = OrderSettings(**rounded) if own > published else OrderSettings()
    return RerankingFit(weights=learnt, documents=len(known), own=max(own, published), published=published)


def regression(features: NDArray[np.float64], labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The weights of a logistic regression, that of the bias last; a prior of variance 1 keeps them finite.

    Newton's method; a step that would go too far is halved until it leads uphill.
    """
    inputs = np.column_stack([features, np.ones(len(features))])
    signs = np.where(labels, 1.0, -1.0)
    weights = np.zeros(inputs.shape[1])

    def loss(weights: NDArray[np.float64]) -> float:
        return float(np.logaddexp(0, -signs * (inputs @ weights)).sum() + weights @ weights / 2)

    for _ in range(ROUNDS):
        chances = logistic(inputs @ weights)
        slope = inputs.T @ (labels - chances) - weights
        curvature = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        while loss(weights + step) > loss(weights) and np.abs(step).max() > ENOUGH:
            step /= 2
        weights = weights + step
        if np.abs(step).max() <= ENOUGH:
            break
    return weights


def _found(system: NeuralSystem, documents: Iterator[Document]) -> Iterator[Found]:
    """What a search finds in each document that has words to read, and keyphrases of words."""
    tokenizer = system.model.target.tokenizer
    while batch := list(islice(documents, BATCH)):
        for window, found in system.searched([SourceText(document.text, tokenizer) for document in batch]):
            keyphrases = batch[window.document].keyphrases or ()
            keys = {tuple(phrase_stems(phrase, tokenizer)) for phrase in keyphrases} - {()}
            own = np.array([tuple(stems(one.words)) in keys for one in found], dtype=bool)
            if keys:
                yield Found(features(found, window.words), own, len(keys))
