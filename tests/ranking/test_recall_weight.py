"""The weight of recall by which lists are best."""

import numpy as np
import pytest

from keyseq.ranking.recall_weight import WEIGHTS, JudgedRanking, best_weight


def ranking(chances, right, keyphrases, others=0.0):
    return JudgedRanking(np.array(chances), np.array(right, dtype=bool), keyphrases, others)


def test_the_score_is_that_of_the_list_with_the_largest_expected_f_score():
    one = ranking([0.05, 0.9, 0.8], [False, True, False], 2)
    two, three = one.f_scores((1.0, 20.0))
    assert two == pytest.approx(2 * 1 / (2 + 2))  # two are given, one of two keyphrases is among them
    assert three == pytest.approx(2 * 1 / (3 + 2))


def test_a_document_without_candidates_scores_nothing():
    assert ranking([], [], 3).f_scores((1.0,)) == [0]


def test_phrases_that_are_better_than_they_seem_ask_for_long_lists_and_worse_ones_for_short():
    chances = [0.5, 0.4, 0.3, 0.25, 0.2, 0.15]
    assert best_weight([ranking(chances, [True] * 6, 6)] * 3) == WEIGHTS[-1]
    assert best_weight([ranking(chances, [True, *[False] * 5], 1)] * 3) == WEIGHTS[0]


def test_the_dial_of_the_page_has_every_choice_in_its_middle():
    assert all(2**-0.5 < weight < 2**0.5 for weight in WEIGHTS)
