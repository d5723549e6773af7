"""Weighted log-odds with a Dirichlet prior, against values worked out by hand."""

import math

import numpy as np
import pytest

from keyseq.ranking.distinctiveness import weighted_log_odds


def test_the_score_is_that_of_the_equations():
    # two phrases: 6 and 2 times in the collection (8 in all), 1 and 3 times in the background (20 in all)
    own, background = np.array([6.0, 2.0]), np.array([1.0, 3.0])
    [first, second] = weighted_log_odds(own, background, 20, prior=14)
    # the prior of the first: 14 (6 + 1) / 28 = 3.5; of the second: 14 (2 + 3) / 28 = 2.5
    odds = math.log(9.5 / (8 + 14 - 9.5)) - math.log(4.5 / (20 + 14 - 4.5))
    assert first == pytest.approx(odds / math.sqrt(1 / 9.5 + 1 / 4.5))
    odds = math.log(4.5 / (8 + 14 - 4.5)) - math.log(5.5 / (20 + 14 - 5.5))
    assert second == pytest.approx(odds / math.sqrt(1 / 4.5 + 1 / 5.5))


def test_the_same_shares_on_both_sides_distinguish_nothing():
    assert weighted_log_odds(np.array([5.0, 5.0]), np.array([50.0, 50.0]), 100) == pytest.approx([0, 0])


def test_of_two_phrases_that_the_background_lacks_the_more_frequent_is_more_distinctive():
    often, seldom, common = weighted_log_odds(np.array([9.0, 2.0, 9.0]), np.array([0.0, 0.0, 400.0]), 1_000)
    assert often > seldom > common


def test_an_empty_collection_has_no_scores():
    assert weighted_log_odds(np.zeros(0), np.zeros(0), 10).tolist() == []
