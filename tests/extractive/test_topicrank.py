"""TopicRank: a phrase for each topic."""

import numpy as np
import pytest

import keyseq
from keyseq.extractive.topicrank import TopicRankSettings
from keyseq.extractive.topics import weighted_rank

TEXT = "Graph matching of molecules. Fast graph matching needs kernels, and molecules need light."


def test_each_topic_is_told_by_the_phrase_that_comes_first():
    [phrases] = keyseq.load("topicrank").predict([TEXT])
    texts = {phrase.text for phrase in phrases}
    assert "Graph matching" in texts
    assert not any("Fast" in text for text in texts)
    assert {"molecules", "kernels"} <= texts


def test_scores_are_the_walks_over_topics():
    """Places: cats 0, dogs 2, birds 4, so nearness 1/2 between neighbours and 1/4 between the outer two."""
    [phrases] = keyseq.load("topicrank", tolerance=0.0).predict(["cats of dogs of birds"])
    half, quarter = 1 / 2, 1 / 4
    near = np.array([[0, half, quarter], [half, 0, half], [quarter, half, 0]])
    cats, dogs, _ = weighted_rank(near, TopicRankSettings(tolerance=0.0))
    assert [phrase.text for phrase in phrases] == ["dogs", "cats", "birds"]
    assert [phrase.score for phrase in phrases] == pytest.approx([1.0, cats / dogs, cats / dogs])


@pytest.mark.parametrize("name", ["topicrank", "multipartiterank"])
@pytest.mark.parametrize("text", ["", "…", "cats", "cats " * 5_000, " and ".join(f"cat{n}a" for n in range(3_000))])
def test_any_text_has_an_answer(name, text):
    [phrases] = keyseq.load(name).predict([text])
    assert bool(phrases) is any(map(str.isalpha, text))
