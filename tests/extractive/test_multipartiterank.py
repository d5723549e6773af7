"""MultipartiteRank: no way within a topic, and more ways to its first phrase."""

import math

import numpy as np
import pytest

import keyseq
from keyseq.extractive.multipartiterank import adjusted

NEAR = np.array([[0.0, 5.0, 1.0], [5.0, 0.0, 2.0], [1.0, 2.0, 0.0]])


def test_the_first_of_a_topic_gains_what_the_others_have():
    """0 and 1 are one topic, and 1 comes first, at word 3: from 2 to it 2 + α e^(1/4) · 1; nothing between the two."""
    weights = adjusted(NEAR, [[0, 1], [2]], [7, 3, 0], favour=1.1)
    expected = np.array([[0, 0, 1], [0, 0, 2], [1, 2 + 1.1 * math.exp(1 / 4), 0]])
    assert weights == pytest.approx(expected)


def test_without_favour_only_ways_within_a_topic_go():
    weights = adjusted(NEAR, [[0, 1], [2]], [7, 3, 0], favour=0.0)
    assert weights == pytest.approx(np.array([[0, 0, 1], [0, 0, 2], [1, 2, 0]]))


def test_all_phrases_of_a_topic_are_given_its_first_one_before_the_others():
    text = "Graph matching of molecules. Fast graph matching needs kernels, and molecules need light."
    [phrases] = keyseq.load("multipartiterank").predict([text])
    texts = [phrase.text for phrase in phrases]
    assert {"Graph matching", "molecules", "kernels"} <= set(texts)
    longer = next(text for text in texts if text.startswith("Fast"))
    assert texts.index("Graph matching") < texts.index(longer)
