"""Trees by hand, beside scikit-learn's own answer, and from damaged arrays."""

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

from keyseq.extractive.trees import Forest, Growth

GROWTH = Growth(trees=7, share=0.5, leaf=3, seed=1)

# Two trees: "is the first feature at most 2?" with 0.1 and 0.9, and a leaf that says 0.5
BY_HAND = Forest(
    roots=np.array([0, 3], np.int32),
    feature=np.array([0, -1, -1, -1], np.int32),
    threshold=np.array([2.0, 0.0, 0.0, 0.0]),
    below=np.array([1, -1, -1, -1], np.int32),
    above=np.array([2, -1, -1, -1], np.int32),
    chance=np.array([0.4, 0.1, 0.9, 0.5]),
)


@pytest.fixture(scope="module")
def examples():
    chance = np.random.default_rng(5)
    rows = chance.random((400, 4))
    return rows, (rows[:, 0] + rows[:, 2] + chance.normal(0, 0.2, 400)) > 1


def test_the_mean_of_two_trees_by_hand():
    rows = np.array([[2.0, 9.0], [2.5, 9.0]])
    assert BY_HAND.probability(rows) == pytest.approx([0.3, 0.7])
    assert BY_HAND.probability(np.zeros((0, 2))).tolist() == []


def test_the_answers_are_scikit_learns(examples):
    rows, labels = examples
    theirs = BaggingClassifier(
        DecisionTreeClassifier(criterion="entropy", min_samples_leaf=GROWTH.leaf),
        n_estimators=GROWTH.trees,
        max_samples=GROWTH.share,
        random_state=GROWTH.seed,
    ).fit(rows, labels)
    ours = Forest.fit(rows, labels, GROWTH).probability(rows)
    assert ours == pytest.approx(theirs.predict_proba(rows)[:, 1])
    assert ours[labels].mean() > ours[~labels].mean() + 0.3


@pytest.mark.parametrize(("labels", "expected"), [([True] * 9, 1.0), ([True] + [False] * 8, 0.0)])
def test_a_sample_of_one_class_says_that_class(labels, expected):
    """All terms of a small vocabulary may be keyphrases; and a tree's share of the examples may have none."""
    forest = Forest.fit(np.zeros((9, 2)), np.array(labels), Growth(trees=1, share=0.1, leaf=1, seed=1))
    assert forest.probability(np.zeros((1, 2))) == pytest.approx([expected])


def test_arrays_give_the_same_again(examples):
    forest = Forest.fit(*examples, GROWTH)
    again = Forest.from_arrays(forest.arrays(), 4)
    assert again.probability(examples[0]).tolist() == forest.probability(examples[0]).tolist()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"below": np.array([0, -1, -1, -1], np.int32)}, "a node that leads to itself: the walk would never end"),
        ({"above": np.array([4, -1, -1, -1], np.int32)}, "a node that leads out"),
        ({"feature": np.array([2, -1, -1, -1], np.int32)}, "a feature that is not there"),
        ({"feature": np.array([-2, -1, -1, -1], np.int32)}, "a feature below none"),
        ({"roots": np.array([4], np.int32)}, "a root that is not there"),
        ({"roots": np.array([], np.int32)}, "no tree"),
        ({"chance": np.array([0.5])}, "fewer answers than nodes"),
        ({"below": np.array([1.0, -1, -1, -1])}, "numbers of nodes that are no whole numbers"),
        ({"threshold": np.zeros((4, 1))}, "one axis too many"),
    ],
)
def test_arrays_that_are_no_trees_are_refused(changes, reason):
    with pytest.raises(ValueError, match="do not form trees"):
        Forest.from_arrays({**BY_HAND.arrays(), **changes}, 2)
    assert reason
