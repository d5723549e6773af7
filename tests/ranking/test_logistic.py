import math

import numpy as np
import pytest

from keyseq.ranking.logistic import regression


def test_a_regression_on_one_feature_finds_the_odds_of_each_group():
    # of those that have it 3 in 4 are right, of the others 1 in 4: odds of 3 and 1/3, so log 3 = 9 × 1/3
    has = np.repeat([1.0, 0.0], 4_000)[:, None]
    right = np.concatenate([np.arange(4_000) % 4 != 0, np.arange(4_000) % 4 == 0])
    weight, bias = regression(has, right)
    assert weight == pytest.approx(math.log(9), abs=0.01)
    assert bias == pytest.approx(-math.log(3), abs=0.01)


def test_a_regression_on_rare_phrases_has_no_slope_left():
    draw = np.random.default_rng(3)
    inputs = draw.normal(-3, 2, (30_000, 3))
    right = draw.random(30_000) < 1 / (1 + np.exp(-(inputs @ [0.7, 0.6, 0.6] - 4.4)))
    assert 0 < right.mean() < 0.01
    weights = regression(inputs, right)
    padded = np.column_stack([inputs, np.ones(30_000)])
    slope = padded.T @ (right - 1 / (1 + np.exp(-padded @ weights))) - weights
    assert np.abs(slope).max() < 1e-6


def test_a_feature_that_tells_all_apart_gets_a_finite_weight():
    weights = regression(np.array([[1.0], [1.0], [0.0], [0.0]]), np.array([True, True, False, False]))
    assert np.isfinite(weights).all()
    assert weights[0] > 0
