"""What is learnt of concepts, by hand."""

import numpy as np
import pytest

from keyseq.adapting.concept_learning import ConceptExample, judged_concepts, learn_concepts
from keyseq.errors import DataError
from keyseq.ranking.boosting import DEPTH, BoostedTrees
from keyseq.ranking.candidate_ranker import CandidateRanker, Scaling
from keyseq.ranking.concept_features import CONCEPT_FEATURES, ConceptWeights
from keyseq.ranking.learning import Learnt

NO_TREES = BoostedTrees(
    features=np.zeros((0, 2**DEPTH - 1), np.uint8),
    thresholds=np.zeros((0, 2**DEPTH - 1)),
    leaves=np.zeros((0, 2**DEPTH)),
    start=np.zeros(1),
)
LOGIT = list(CONCEPT_FEATURES).index("logit")


def example(candidates, gold, subjects):
    """Concepts without any other evidence than the logits of their candidates."""
    features = np.zeros((len(gold), len(CONCEPT_FEATURES)), dtype=np.float32)
    return ConceptExample(features, candidates, np.array(gold, dtype=bool), subjects)


def learnt(*logits):
    """Logits of candidates by document, which the calibration doubles for present ones and lowers by 1 for absent."""
    scaling = Scaling(np.array([1.0, 2.0]), np.array([-1.0, 0.0]))
    first = [np.array(one, dtype=float) for one in logits]
    ranker = CandidateRanker(NO_TREES, NO_TREES, scaling, others=0.0)
    return Learnt(ranker, [], first)


def weights_of(**named):
    return ConceptWeights(np.array([*(named.get(name, 0.0) for name in CONCEPT_FEATURES), named.get("bias", 0.0)]))


def test_a_concept_has_the_best_calibrated_logit_of_its_candidates():
    """Candidates of a present phrase (0.5 -> 1.0) and of an absent one (3.0 -> 2.0): the concept of both has 2.0."""
    [judged] = judged_concepts(
        [example([(0, 1), (0,)], [True, False], 3)],
        learnt([0.5, 3.0]),
        [np.array([True, False])],
        weights_of(logit=1.0),
        others=0.25,
    )
    assert judged.chances == pytest.approx([1 / (1 + np.exp(-2.0)), 1 / (1 + np.exp(-1.0))])
    assert judged.gold.tolist() == [True, False]
    assert judged.keyphrases == 3
    assert judged.others == pytest.approx(0.25)


def test_a_concept_that_does_not_fit_is_not_given_and_counts_among_those_that_are_missed():
    [judged] = judged_concepts(
        [example([(0,), (1,)], [True, True], 2)],
        learnt([2.0, -4.0]),
        [np.array([True, True])],
        weights_of(logit=1.0),
        others=0.0,
    )
    assert judged.chances == pytest.approx([1 / (1 + np.exp(-4.0))])
    assert judged.others == pytest.approx(1 / (1 + np.exp(8.0)))


def test_a_document_without_concepts_has_nothing_to_give():
    [judged] = judged_concepts([example([], [], 1)], learnt([1.0]), [np.array([True])], weights_of(logit=1.0), 0.5)
    assert (len(judged.chances), judged.keyphrases, judged.others) == (0, 1, 0.5)


def test_the_logit_speaks_for_a_subject_where_subjects_have_larger_ones():
    examples = [example([(0,), (1,)], [True, False], 2)] * 20
    weights, ranker = learn_concepts(examples, learnt(*[[2.0, -2.0]] * 20), [np.array([True, True])] * 20)
    assert weights.weights[LOGIT] > 0.1
    assert ranker.others == pytest.approx(1.0)  # of two subjects of each document, one was found


def test_nothing_is_learnt_where_no_concept_found_is_a_subject():
    with pytest.raises(DataError, match="none of the concepts found is a subject of its document"):
        learn_concepts([example([(0,)], [False], 1)], learnt([1.0]), [np.array([True])])
