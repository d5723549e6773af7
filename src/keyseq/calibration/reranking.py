"""Rerank the phrases that a search finds by the probability of being a keyphrase: the ranking called "learnt"."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from keyseq.config import OrderSettings
from keyseq.decoding.order import FEATURES, features
from keyseq.errors import KeyseqError
from keyseq.ranking.logistic import regression
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.systems.neural import Model, NeuralSystem
from keyseq.systems.neural_settings import NeuralSettings
from keyseq.text.presence import SourceText, phrase_stems
from keyseq.types import Document

BATCH = 32  # documents searched together, on all cores


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankingFit:
    """Weights for reranking, and the mean R-precision on the documents they were fitted to: reranked, and in the
    published order."""

    weights: OrderSettings
    documents: int
    r_precision: float
    r_precision_published: float


@dataclass(frozen=True, slots=True)
class Found:
    """The phrases that a search finds in a document, in the published order."""

    features: NDArray[np.float64]  # (N, 3)
    correct: NDArray[np.bool_]  # (N,) whether a phrase is one of the document's keyphrases
    keyphrases: int  # R, the number of keyphrases of the document

    def r_precision(self, scores: NDArray[np.float64]) -> float:
        """The precision among the first R phrases."""
        first = np.argsort(-scores, kind="stable")[: self.keyphrases]
        return float(self.correct[first].sum()) / self.keyphrases


def fit_reranking(exported: ExportedNetwork, documents: Iterable[Document]) -> RerankingFit:
    """Fit the reranking of a network's phrases to what it finds in documents with keyphrases."""
    model = Model(GraphStepper(exported), exported.vocabulary, exported.settings.target)
    system = NeuralSystem("search", model, NeuralSettings(decoding="exhaustive", cut=True))
    known = list(_found(system, iter(documents)))
    if not known:
        raise KeyseqError("no document with keyphrases to fit the reranking to; use a corpus that has them")
    return fit(known)


def fit(known: Sequence[Found]) -> RerankingFit:
    """Fit a logistic regression that separates keyphrases from other phrases.

    Where its R-precision is no higher than that of the published order, the published order is kept.
    """
    weights = regression(
        np.concatenate([found.features for found in known]), np.concatenate([found.correct for found in known])
    )
    reranked = float(np.mean([found.r_precision(found.features @ weights[:-1]) for found in known]))
    published = float(np.mean([found.r_precision(np.zeros(len(found.correct))) for found in known]))
    rounded = dict(zip((*FEATURES, "bias"), weights.round(4).tolist(), strict=True))
    learnt = OrderSettings(**rounded) if reranked > published else OrderSettings()
    return RerankingFit(
        weights=learnt, documents=len(known), r_precision=max(reranked, published), r_precision_published=published
    )


def _found(system: NeuralSystem, documents: Iterator[Document]) -> Iterator[Found]:
    """The phrases found in each document that has words and at least one keyphrase of words."""
    analyzer = system.model.analyzer
    while batch := list(islice(documents, BATCH)):
        for window, found in system.searched(batch, [SourceText(document.text, analyzer) for document in batch]):
            keyphrases = window.document.keyphrases or ()
            keys = {tuple(phrase_stems(phrase, analyzer)) for phrase in keyphrases} - {()}
            correct = np.array([tuple(analyzer.stems(one.words)) in keys for one in found], dtype=bool)
            if keys:
                yield Found(features(found, window.words, analyzer), correct, len(keys))
