"""Learnt reranking: the probability that a phrase found by a search is a keyphrase of the document."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from keyseq.config import OrderSettings
from keyseq.decoding.evidence import SearchEvidence
from keyseq.ranking.logistic import logistic
from keyseq.text.analyzer import Analyzer
from keyseq.text.presence import StemmedText

FEATURES = ("share", "probability", "occurrences")  # as `OrderSettings` names their weights
LEAST = 1e-6  # lower bound of share and probability, before the logarithm


def features(found: Sequence[SearchEvidence], text: Sequence[str], analyzer: Analyzer) -> NDArray[np.float64]:
    """The features (N, 3): log share, log-probability, and log(1 + occurrences in the text)."""
    stemmed = StemmedText(analyzer.stems(text))
    counts = [sum(1 for _ in stemmed.positions(analyzer.stems(one.words))) for one in found]
    shares, probabilities = [one.share for one in found], [one.probability for one in found]
    logs = [np.log(np.maximum(shares, LEAST)), np.log(np.maximum(probabilities, LEAST)), np.log1p(counts)]
    return np.stack(logs, axis=1)


def chances(
    found: Sequence[SearchEvidence], text: Sequence[str], analyzer: Analyzer, order: OrderSettings
) -> list[float]:
    """The probability of each phrase, 0..1, by the logistic regression with the weights of `order`."""
    weights = np.array([getattr(order, name) for name in FEATURES])
    probabilities: list[float] = logistic(features(found, text, analyzer) @ weights + order.bias).tolist()
    return probabilities
