"""A ranker: from two sets of trees to probabilities; its arrays, and damage to them."""

import math

import numpy as np
import pytest
from tests.ranking.handmade import keyphraseness, pool

from keyseq.ranking import redundancy
from keyseq.ranking.candidate_ranker import LEAST, CandidateRanker, Scaling, second_look
from keyseq.ranking.pool import Known


def test_a_ranker_is_rebuilt_from_its_arrays(examples, learnt):
    again = CandidateRanker.from_arrays(learnt.ranker.arrays())
    one = examples[7]
    assert (again.probabilities(one.rows, one.sketch) == learnt.ranker.probabilities(one.rows, one.sketch)).all()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("slopes", np.ones(3), "calibration of another shape"),
        ("others", np.ones(0), "calibration of another shape"),
        ("offsets", np.array([0.0, np.nan]), "not of finite numbers"),
        ("first.features", np.full((1, 63), 250, dtype=np.uint8), "other shapes"),
        ("second.leaves", np.zeros((2, 3)), "other shapes"),
    ],
)
def test_a_damaged_ranker_is_refused(name, value, message, learnt):
    with pytest.raises(ValueError, match=message):
        CandidateRanker.from_arrays(learnt.ranker.arrays() | {name: value})


def test_a_ranker_without_one_of_its_arrays_is_refused(learnt):
    arrays = learnt.ranker.arrays()
    del arrays["second.leaves"]
    with pytest.raises(KeyError):
        CandidateRanker.from_arrays(arrays)


def test_a_document_without_candidates_has_no_probabilities(learnt):
    empty = pool("", "", Known(keyphraseness()), ())
    assert learnt.ranker.probabilities(np.zeros((0, 40), np.float32), empty.sketch).tolist() == []


def test_logits_are_scaled_apart_for_absent_and_present_phrases():
    scaling = Scaling(np.array([2.0, 1.0]), np.array([-1.0, 0.0]))
    found = scaling.probabilities(np.array([0.5, 0.5]), np.array([False, True]))
    assert found == pytest.approx([0.5, 1 / (1 + math.exp(-0.5))])


def test_candidates_beyond_the_shortlist_stay_below_it(examples, learnt, monkeypatch):
    monkeypatch.setattr(redundancy, "MOST", 5)
    one = examples[0]
    logits = np.linspace(3, -3, len(one.gold))
    final = second_look(logits, one.sketch, learnt.ranker.second)
    best = np.argsort(-logits)[:5]
    rest = np.setdiff1d(np.arange(len(logits)), best)
    judged = final[best][final[best] > LEAST]
    assert len(rest)
    assert final[rest].max() < judged.min()
