"""Repetition within a document, against values computed by hand."""

import math

import numpy as np
import pytest

from keyseq.analysis.repetition import duplicate_phrases, duplicate_tokens, mean, similarity


@pytest.mark.parametrize(
    ("phrases", "expected", "reason"),
    [
        (["neural network", "graph"], 0.0, "no word comes twice"),
        (["neural network", "neural graph"], 1 / 4, "neural was said before: 3 of 4 words are new"),
        (["test", "test", "test"], 2 / 3, "two of three words are repeated"),
    ],
)
def test_duplicate_tokens_are_those_that_an_earlier_place_had(phrases, expected, reason):
    assert duplicate_tokens([phrase.split() for phrase in phrases]) == pytest.approx(expected), reason


def test_duplicate_phrases_are_the_same_words_in_the_same_order():
    assert duplicate_phrases([("a", "b"), ("b", "a"), ("a", "b"), ("c",)]) == pytest.approx(1 / 4)


def test_similarity_is_the_mean_cosine_of_every_two_phrases():
    vectors = {"x": np.array([1.0, 0.0]), "y": np.array([0.0, 1.0])}
    # x and y are orthogonal; "x y" is the diagonal, at 45 degrees to both
    expected = (0 + math.sqrt(0.5) + math.sqrt(0.5)) / 3
    assert similarity([("x",), ("y",), ("x", "y")], vectors) == pytest.approx(expected)


def test_what_has_no_vector_is_passed_over():
    vectors = {"x": np.array([1.0, 0.0])}
    assert similarity([("x", "unheard"), ("x",), ("unheard",)], vectors) == pytest.approx(1.0)


@pytest.mark.parametrize("value", [duplicate_tokens([]), duplicate_phrases([]), similarity([("x",)], {}), mean([])])
def test_nothing_to_repeat_has_no_value_rather_than_zero(value):
    assert math.isnan(value)


def test_documents_without_a_value_do_not_pull_the_mean():
    assert mean([0.5, math.nan, 1.0]) == 0.75
