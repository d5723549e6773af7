"""Topics, nearness and the weighted walk, by hand."""

import numpy as np
import pytest

from keyseq.extractive.candidates import Candidate, find_candidates
from keyseq.extractive.reading import Reading
from keyseq.extractive.topicrank import TopicRankSettings
from keyseq.extractive.topics import nearness, topics, weighted_rank

EXACT = TopicRankSettings(tolerance=0.0)


def candidates(*phrases):
    return [Candidate(tuple(phrase.split()), [(0, 1)], [0]) for phrase in phrases]


@pytest.mark.parametrize(
    ("phrases", "apart", "expected"),
    [
        # one word of three is shared: a distance of 2/3
        (["graph match", "graph learn", "kernel"], 0.74, [[0, 1], [2]]),
        (["graph match", "graph learn", "kernel"], 0.5, [[0], [1], [2]]),
        # "a" and "a b c d" share one of four words: 3/4 is too far
        (["a", "a b c d"], 0.74, [[0], [1]]),
        # {a b} and {a} are 1/2 apart and join first; {b c} is 2/3 and 1 from them, 5/6 on average
        (["a b", "b c", "a"], 0.84, [[0, 1, 2]]),
        (["a b", "b c", "a"], 0.83, [[0, 2], [1]]),
        (["a", "b"], 1.0, [[0, 1]]),
        ([], 0.74, []),
    ],
)
def test_candidates_that_share_words_are_one_topic(phrases, apart, expected):
    assert topics(candidates(*phrases), apart) == expected


def test_nearness_is_the_sum_of_one_over_the_gaps():
    """cats 0, see 1, dogs 2, the full stop 3, cats 4: from cats to dogs it is 2 words either way, so 1/2 + 1/2."""
    reading = Reading("cats see dogs. cats")
    found = find_candidates(reading, EXACT)
    assert [one.stems for one in found] == [("cat",), ("dog",)]
    assert nearness(reading, [[one] for one in found]) == pytest.approx(np.array([[0.0, 1.0], [1.0, 0.0]]))


def test_a_group_has_the_places_of_all_its_candidates():
    reading = Reading("cats see dogs. birds")
    cats, dogs, birds = find_candidates(reading, EXACT)
    near = nearness(reading, [[cats, birds], [dogs]])
    assert near == pytest.approx(np.array([[0.0, 1.0], [1.0, 0.0]]))  # 1/2 before and 1/2 after


def test_the_words_of_a_phrase_are_no_part_of_the_gap():
    reading = Reading("white birds see dogs")
    near = nearness(reading, [[one] for one in find_candidates(reading, EXACT)])
    assert near[0, 1] == pytest.approx(1 / 2)  # from birds 1 to dogs 3


def test_a_weighted_walk_by_hand():
    """From a it goes to b three times of four, else to c, and from both back: b = u + d·3a/4, c = u + d·a/4."""
    a, b, c = weighted_rank(np.array([[0.0, 3.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), EXACT)
    u = 0.15 / 3
    assert [b, c, a] == pytest.approx([u + 0.85 * 0.75 * a, u + 0.85 * 0.25 * a, u + 0.85 * (b + c)])
    assert a + b + c == pytest.approx(1.0)


def test_a_node_that_leads_nowhere_sends_the_walk_anywhere():
    assert weighted_rank(np.zeros((2, 2)), EXACT) == pytest.approx([0.5, 0.5])
    assert weighted_rank(np.zeros((0, 0)), EXACT).tolist() == []
