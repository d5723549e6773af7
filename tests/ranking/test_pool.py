"""Candidates from text, profiles and network come together, each once."""

from dataclasses import replace

import numpy as np
import pytest
from tests.ranking.handmade import key, keyphraseness, known, number, pool, profiles

from keyseq.ranking.pool import GeneratedPhrase, Known, Retrieved, best_places
from keyseq.text.hashing import stem_hashes
from keyseq.text.presence import phrase_stems


def test_a_phrase_of_several_sources_is_one_candidate():
    candidates = pool()
    panels = number(candidates, "solar panels")
    assert candidates.run[panels] >= 0
    assert (candidates.label[panels], candidates.generated_as[panels]) == (1, 1)
    assert len(set(candidates.keys.tolist())) == len(candidates.keys)


def test_a_phrase_of_one_source_is_of_that_alone():
    candidates = pool()
    energy, cells = number(candidates, "solar energy"), number(candidates, "photovoltaic cells")
    assert (candidates.run[energy], candidates.label[energy], candidates.generated_as[energy]) == (-1, 0, -1)
    assert (candidates.run[cells], candidates.label[cells], candidates.generated_as[cells]) == (-1, -1, 0)


def test_labels_that_nothing_speaks_for_are_no_candidates():
    candidates = pool("old trees", "", known(), ())
    assert key("solar energy") not in candidates.keys
    assert candidates.retrieved.best.tolist() == []


def test_labels_whose_words_the_text_has_apart_are_candidates_where_a_system_wants_them():
    labels = ("panel house", "solar panels", "house heating", "cheap owners")
    weights = {"solar": (1.0, {"house heating": 0.3, "panel house": 0.2}), "house": (1.0, {"solar panels": 1.0})}
    knowing = Known(keyphraseness(), profiles(weights, labels), most=1)
    assert key("house heating") not in pool(knowing=knowing, generated=()).keys
    one = pool(knowing=replace(knowing, scattered=1), generated=())
    assert one.run[number(one, "house heating")] == -1
    assert one.words_in_text[number(one, "house heating")] == 1
    assert key("panel house") not in one.keys  # only so many, the best by their profiles
    both = pool(knowing=replace(knowing, scattered=9), generated=())
    assert key("panel house") in both.keys
    assert key("cheap owners") not in both.keys  # nothing speaks for it


@pytest.mark.parametrize("labels", [0, 3, 60, 5_000, 70_001])
def test_the_best_labels_are_those_that_sorting_all_of_them_gives(labels):
    scores = np.random.default_rng(labels).normal(size=labels).astype(np.float32)
    order = np.argsort(-scores, kind="stable")
    assert best_places(scores, 60).tolist() == [place for place in order.tolist() if scores[place] > 0][:60]


def test_of_equal_scores_the_first_labels_are_the_best():
    scores = np.zeros(10_000, dtype=np.float32)
    scores[100:9_000] = 0.5
    assert best_places(scores, 3).tolist() == [100, 101, 102]


def test_labels_are_ranked_and_others_come_after_them():
    retrieved = Retrieved(np.array([0.1, 0.4, 0.2], dtype=np.float32), np.array([1, 2]), most=7)
    assert retrieved.ranks(np.array([2, -1, 0, 1])).tolist() == [1, 7, 7, 0]
    assert retrieved.best_score == pytest.approx(0.4)


def test_two_generated_forms_of_one_phrase_count_as_the_first():
    forms = (GeneratedPhrase(("wind", "mill"), 0.5, 0.6), GeneratedPhrase(("wind", "mills"), 0.9, 0.1))
    candidates = pool("old trees", "", Known(keyphraseness()), forms)
    assert candidates.generated_as[number(candidates, "wind mills")] == 0


def test_the_words_of_each_candidate_are_laid_out():
    candidates = pool()
    for phrase in ("solar panels", "solar energy", "photovoltaic cells", "power the house of 3"):
        wanted = stem_hashes(phrase_stems(phrase)).tolist()
        assert candidates.words[number(candidates, phrase)].tolist() == wanted + [0] * (6 - len(wanted))


def test_a_sketch_tells_the_sources_of_each_candidate():
    candidates = pool()
    sketch = candidates.sketch.of(np.array([number(candidates, "solar energy"), number(candidates, "house")]))
    assert sketch.in_text.tolist() == [False, True]
    assert sketch.is_label.tolist() == [True, False]
    assert sketch.generated.tolist() == [False, False]
    assert sketch.part_of_longer.tolist() == [-1, 0]  # no run has "the" or "of" at its end


def test_the_terms_that_speak_for_a_label_are_words_of_the_text():
    assert pool().speaking(0).tolist() == [key("solar")]
    assert pool().speaking(1).tolist() == [key("house")]
