"""The graph of neighbouring words, and the walk over it, by hand."""

import pytest

from keyseq.extractive.graph import page_rank, word_scores
from keyseq.extractive.reading import Reading
from keyseq.extractive.textrank import TextRankSettings

EXACT = TextRankSettings(tolerance=0.0)


def test_a_star_by_hand():
    """With damping d a hub c of three leaves l has c = (1 - d)/4 + 3dl and l = (1 - d)/4 + dc/3."""
    hub, *leaves = page_rank([[1, 2, 3], [0], [0], [0]], [1.0] * 4, EXACT)
    assert hub == pytest.approx(0.8875 / 1.85)
    assert leaves == pytest.approx([(1 - 0.8875 / 1.85) / 3] * 3)


def test_a_walk_starts_again_where_it_is_told_to():
    """Of two neighbours the one where all walks start has (1 - d)/(1 - d²) = 1/(1 + d)."""
    assert page_rank([[1], [0]], [1.0, 0.0], EXACT) == pytest.approx([1 / 1.85, 0.85 / 1.85])


def test_a_node_without_neighbours_sends_the_walk_back_to_the_start():
    """r = (1 - d)/3 + dr/3 for it, the other two share the rest."""
    lone = (0.15 / 3) / (1 - 0.85 / 3)
    assert page_rank([[], [2], [1]], [1.0] * 3, EXACT) == pytest.approx([lone, (1 - lone) / 2, (1 - lone) / 2])


def test_no_words_have_no_scores():
    assert word_scores(Reading(""), EXACT, "uniform") == {}


def test_words_are_neighbours_within_the_window_marks_and_stop_words_counted():
    reading = Reading("cats of dogs, birds")  # cats 0, of 1, dogs 2, the comma 3, birds 4
    apart = word_scores(reading, TextRankSettings(window=2, tolerance=0.0), "uniform")
    assert apart == pytest.approx(dict.fromkeys(["cat", "dog", "bird"], 1 / 3))
    chain = word_scores(reading, TextRankSettings(window=3, tolerance=0.0), "uniform")
    assert chain["dog"] > chain["cat"] == pytest.approx(chain["bird"])
    triangle = word_scores(reading, TextRankSettings(window=5, tolerance=0.0), "uniform")
    assert triangle == pytest.approx(apart)


def test_early_words_weigh_more_by_position_and_not_otherwise():
    reading = Reading("cats of dogs of birds")
    early = word_scores(reading, EXACT, "position")
    assert early["cat"] > early["dog"] > early["bird"]


def test_a_neighbour_that_is_there_twice_is_gone_to_twice_as_often():
    """b is a's neighbour twice and c once, all walks start at a: b = d·2a/3, c = d·a/3, a = (1 - d) + d(b + c)."""
    a, b, c = page_rank([[1, 1, 2], [0, 0], [0]], [1.0, 0.0, 0.0], EXACT)
    assert [b / c, b / a, a + b + c] == pytest.approx([2.0, 0.85 * 2 / 3, 1.0])


def test_words_that_often_stand_together_pull_the_walk_if_that_is_counted():
    text = "cats of dogs. " * 3 + "cats of birds"  # windows of three words: cats with dogs often, with birds once
    settings = TextRankSettings(window=3, tolerance=0.0)
    once = word_scores(Reading(text), settings, "uniform")
    often = word_scores(Reading(text), settings, "uniform", counted=True)
    assert often["dog"] / often["bird"] > 2 > once["dog"] / once["bird"]
