import math

import pytest

from keyseq.config import OrderSettings
from keyseq.decoding.evidence import SearchEvidence
from keyseq.decoding.order import LEAST, chances, features
from keyseq.errors import KeyseqError
from keyseq.text.analyzer import ENGLISH

GRAPHS = SearchEvidence(("neural", "graphs"), probability=0.5, share=0.25)


def test_features_are_the_logarithms_of_share_probability_and_occurrences():
    text = ["graphs", "are", "neural", "graph", "models", ",", "and", "neural", "graphs"]
    [row] = features([GRAPHS], text, ENGLISH)
    assert row == pytest.approx([math.log(0.25), math.log(0.5), math.log(3)])  # said twice, by its stems


def test_an_absent_phrase_occurs_never_and_a_hopeless_one_has_the_least_share():
    [row] = features([SearchEvidence(("deep", "learning"), probability=1e-30, share=0.0)], ["graphs"], ENGLISH)
    assert row == pytest.approx([math.log(LEAST), math.log(LEAST), 0])


def test_nothing_found_has_no_chances():
    assert chances([], ["graphs"], ENGLISH, OrderSettings(share=1)) == []


def test_chances_stay_within_0_and_1_whatever_the_weights():
    most = 1e6 - 1
    huge = [OrderSettings(share=-weight, bias=weight) for weight in (-most, 0.0, most)]
    assert [chances([GRAPHS], (), ENGLISH, order)[0] for order in huge] == [0.0, 0.5, 1.0]


def test_weights_that_could_overflow_are_refused():
    with pytest.raises(KeyseqError, match=r"order\.share must be below 1000000\.0"):
        OrderSettings(share=1e308)
