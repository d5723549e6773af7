"""Whether states of the same word lie together, against values computed by hand."""

import math

import numpy as np
import pytest

from keyseq.analysis.clusters import chance, embedded, frequent, purity, silhouette

TWO_HEAPS = np.array([[0.0, 0.0], [0.0, 1.0], [10.0, 0.0], [10.0, 1.0]], dtype=np.float32)


def test_purity_is_the_share_of_neighbours_with_the_same_word():
    # with one neighbour each: the partner in the heap
    assert purity(TWO_HEAPS, ["a", "a", "b", "b"], neighbours=1) == 1.0
    assert purity(TWO_HEAPS, ["a", "b", "b", "b"], neighbours=1) == 0.5
    # with two, the second neighbour is in the other heap: each state has one of two right
    assert purity(TWO_HEAPS, ["a", "a", "b", "b"], neighbours=2) == 0.5


def test_chance_is_the_purity_of_any_two_states():
    # of the 12 ordered pairs of 4 states, a-a gives 2 and b-b gives 2
    assert chance(["a", "a", "b", "b"]) == pytest.approx(4 / 12)
    assert chance(["a", "b", "c"]) == 0.0


def test_silhouette_by_hand():
    # every state: 1 to its partner; to the other heap (10 + sqrt(101)) / 2
    away = (10 + math.sqrt(101)) / 2
    assert silhouette(TWO_HEAPS, ["a", "a", "b", "b"]) == pytest.approx(1 - 1 / away, abs=1e-5)


@pytest.mark.parametrize("words", [[], ["a"] * 4, list("abcd")])
def test_there_is_no_silhouette_without_two_words_of_which_one_comes_twice(words):
    assert math.isnan(silhouette(TWO_HEAPS[: len(words)], words))


def test_one_state_has_no_neighbours():
    assert math.isnan(purity(TWO_HEAPS[:1], ["a"]))
    assert math.isnan(chance(["a"]))


def test_frequent_words_come_in_an_order_that_does_not_depend_on_chance():
    assert frequent(["b", "a", "c", "c"], 2) == ["c", "a"]


def test_tsne_keeps_heaps_apart_and_the_same_seed_gives_the_same_picture():
    chance = np.random.default_rng(1)
    states = np.concatenate([chance.normal(0, 0.1, (15, 8)), chance.normal(5, 0.1, (15, 8))]).astype(np.float32)
    places = embedded(states, seed=3)
    assert places.shape == (30, 2)
    assert silhouette(places, ["a"] * 15 + ["b"] * 15) > 0.5
    assert np.array_equal(places, embedded(states, seed=3))
    assert embedded(states[:1], seed=3).shape == (1, 2)
