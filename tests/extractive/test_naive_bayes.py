"""Naive Bayes by hand, and from its arrays."""

import numpy as np
import pytest

from keyseq.extractive.naive_bayes import NaiveBayes

# the first feature is cut at 4.5 into pure halves, the second says nothing
FEATURES = np.array([[number, 1.0] for number in range(1, 9)])
LABELS = np.array([False] * 4 + [True] * 4)


@pytest.fixture
def bayes():
    return NaiveBayes.fit(FEATURES, LABELS)


def test_the_posterior_by_hand(bayes):
    """P(yes) = (4+1)/(8+2) = 1/2; P(high | yes) = (4+1)/(4+2) = 5/6, P(high | no) = 1/6; the other has one bin."""
    assert bayes.prior == pytest.approx([0.5, 0.5])
    assert bayes.likelihoods[0] == pytest.approx(np.array([[5 / 6, 1 / 6], [1 / 6, 5 / 6]]))
    assert bayes.likelihoods[1] == pytest.approx(np.array([[1.0, 1.0]]))
    assert bayes.probability(np.array([[2.0, 1.0], [7.0, 1.0], [100.0, -3.0]])) == pytest.approx([1 / 6, 5 / 6, 5 / 6])


def test_the_prior_counts_where_classes_differ_in_size():
    """9 no, 1 yes, one bin: (1+1)/(10+2)."""
    bayes = NaiveBayes.fit(np.ones((10, 1)), np.array([True] + [False] * 9))
    assert bayes.probability(np.ones((1, 1))) == pytest.approx([1 / 6])


def test_no_candidates_have_no_probabilities(bayes):
    assert bayes.probability(np.zeros((0, 2))).tolist() == []


def test_arrays_give_the_same_again(bayes):
    again = NaiveBayes.from_arrays(bayes.arrays(), 2)
    assert again.probability(FEATURES).tolist() == bayes.probability(FEATURES).tolist()


@pytest.mark.parametrize(
    "changes",
    [{"prior": np.ones(3)}, {"cuts.0": np.ones(3)}, {"likelihoods.1": np.ones(2)}, {"cuts.1": np.ones((1, 1))}],
)
def test_arrays_that_do_not_fit_together_are_refused(bayes, changes):
    with pytest.raises(ValueError, match="inconsistent shapes"):
        NaiveBayes.from_arrays({**bayes.arrays(), **changes}, 2)


def test_arrays_of_fewer_features_are_refused(bayes):
    with pytest.raises(KeyError):
        NaiveBayes.from_arrays(bayes.arrays(), 3)
