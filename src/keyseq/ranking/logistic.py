"""Logistic regression, for probabilities of a few features."""

import numpy as np
from numpy.typing import NDArray

ROUNDS = 100
CONVERGED = 1e-9  # the largest change of a weight at which Newton's method stops


def logistic(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + exp(-x)), which overflows for no x."""
    squashed: NDArray[np.float64] = np.exp(-np.logaddexp(0, -logits))
    return squashed


def regression(
    features: NDArray[np.float64], labels: NDArray[np.bool_], shares: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The weights of a logistic regression, the bias last; a Gaussian prior of variance 1 keeps them finite.

    `shares` are the weights of examples, by default equal.

    Newton's method; a step that overshoots is halved until the loss falls.
    """
    inputs = np.column_stack([features, np.ones(len(features))])
    signs = np.where(labels, 1.0, -1.0)
    weights = np.zeros(inputs.shape[1])
    counted = np.ones(len(inputs)) if shares is None else shares

    def loss(weights: NDArray[np.float64]) -> float:
        return float(counted @ np.logaddexp(0, -signs * (inputs @ weights)) + weights @ weights / 2)

    for _ in range(ROUNDS):
        chances = logistic(inputs @ weights)
        slope = inputs.T @ (counted * (labels - chances)) - weights
        curvature = (inputs * (counted * chances * (1 - chances))[:, None]).T @ inputs + np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        while loss(weights + step) > loss(weights) and np.abs(step).max() > CONVERGED:
            step /= 2
        weights = weights + step
        if np.abs(step).max() <= CONVERGED:
            break
    return weights
