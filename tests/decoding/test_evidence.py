import numpy as np
import pytest

from keyseq.data.vocabulary import SEP
from keyseq.decoding.evidence import SearchEvidence, evidence
from keyseq.decoding.hypotheses import Hypothesis

WORDS = {5: "graph", 6: "graphs", 7: "."}


def said(*tokens, chances):
    """A sequence of ids, with the probability of each and of the end."""
    logs = np.log(np.array(chances))
    return Hypothesis(np.array(tokens, dtype=np.int64), logs, float(logs.sum()), finished=True)


def found(*hypotheses, key=tuple):
    return [
        (one.words, pytest.approx(one.probability), pytest.approx(one.share))
        for one in evidence(hypotheses, WORDS.__getitem__, key)
    ]


def test_a_phrase_has_its_highest_probability_and_the_share_of_all_sequences_that_say_it():
    likely, unlikely = said(5, chances=[0.5, 0.6]), said(6, SEP, 5, chances=[0.2, 1, 0.9, 1 / 1.8])
    assert found(likely, unlikely) == [(("graph",), 0.5, 1), (("graphs",), 0.2, 0.25)]  # 0.3 and 0.1


def test_forms_that_are_one_go_by_the_first_and_a_repeat_counts_once():
    sequence, other = said(6, SEP, 5, chances=[0.5, 1, 0.9, 1 / 1.5]), said(7, chances=[0.1, 1])
    assert found(sequence, other, key=lambda _: ("graph",)) == [(("graphs",), 0.6, 0.75)]


def test_nothing_said_is_nothing_found():
    assert evidence([], WORDS.__getitem__, tuple) == []
    assert evidence([said(chances=[1])], WORDS.__getitem__, tuple) == []


def test_evidence_is_the_words_and_two_numbers():
    assert evidence([said(5, chances=[1, 1])], WORDS.__getitem__, tuple) == [SearchEvidence(("graph",), 1.0, 1.0)]
