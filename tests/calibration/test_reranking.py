import math

import numpy as np
import pytest

from keyseq.calibration.reranking import Found, fit, regression


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


def rows(*values):
    return np.array([[share, 0.0, 0.0] for share in values]).reshape(-1, 3)


def test_what_is_learnt_puts_documents_own_phrases_first():
    # the published order has the own phrase second, the share tells it
    known = [Found(rows(-3, -1, -2), np.array([False, True, False]), 1)] * 5
    order = fit(known)
    assert (order.r_precision, order.r_precision_published, order.documents) == (1, 0, 5)
    assert order.weights.share > 0
    assert order.weights.is_learnt


def test_as_many_first_phrases_count_as_the_document_has():
    found = Found(rows(-1, -2, -3), np.array([True, False, True]), 2)
    assert found.r_precision(np.array([3.0, 2.0, 1.0])) == 0.5
    assert found.r_precision(np.array([3.0, 1.0, 2.0])) == 1
    assert Found(rows(-1), np.array([True]), 4).r_precision(np.array([1.0])) == 0.25


@pytest.mark.parametrize("own", [[], [False, False], [True, True], [True, False]])
def test_the_published_order_stays_where_nothing_is_better(own):
    order = fit([Found(rows(*range(len(own))), np.array(own, dtype=bool), 1)] * 3)
    assert not order.weights.is_learnt
    assert order.r_precision == order.r_precision_published
