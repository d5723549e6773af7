"""A ranker learnt by cross-fitting: right on documents that it has not seen, and calibrated on them."""

import numpy as np
import pytest
from tests.ranking.conftest import SETTINGS

from keyseq.errors import DataError
from keyseq.ranking.learning import RankingExample, learn


def test_keyphrases_of_unseen_documents_come_first(examples, learnt):
    hits = [one.gold[np.argmax(chances)] for one, chances in zip(examples, learnt.held_out, strict=True)]
    assert np.mean(hits) > 0.8  # by chance it would be one in twenty


def test_probabilities_add_up_to_the_keyphrases_that_there_are(examples, learnt):
    expected = sum(chances.sum() for chances in learnt.held_out)
    assert expected == pytest.approx(sum(one.gold.sum() for one in examples), rel=0.15)


def test_keyphrases_that_are_no_candidates_are_expected_to_be_missing(learnt):
    assert learnt.ranker.others == pytest.approx(0.25)  # "zzz", of every fourth document


def test_the_same_examples_make_the_same_ranker(examples, learnt):
    again = learn(examples, SETTINGS).ranker.arrays()
    assert all((again[name] == value).all() for name, value in learnt.ranker.arrays().items())


def test_too_few_documents_are_refused(examples):
    with pytest.raises(DataError, match="a ranker needs at least 10 documents with keyphrases, not 9"):
        learn(examples[:9], SETTINGS)


def test_keyphrases_that_are_nowhere_are_nothing_to_learn_from(examples):
    none = [RankingExample(one.rows, one.sketch, np.zeros_like(one.gold), one.keyphrases) for one in examples]
    with pytest.raises(DataError, match="no candidate is a keyphrase of its document"):
        learn(none, SETTINGS)
