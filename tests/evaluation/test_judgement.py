"""Whether what people read of a document is what its scores were computed from."""

import numpy as np
import pytest

from keyseq.evaluation import protocols
from keyseq.evaluation.judgement import GoldTarget, Verdict
from keyseq.evaluation.matching import Matcher, compared
from keyseq.types import Document

DOCUMENT = Document(
    id="1",
    title="Robust networks",
    body="We train neural networks (NN) for speech.",
    keyphrases=("neural network (NN)", "speech", "speech recognition", "Neural networks"),
)


def judge(predictions, protocol="yuan2020", document=DOCUMENT, **overrides):
    return Matcher(protocols.find(protocol, overrides)).judge(document, predictions)


def test_hits_and_false_alarms_keep_their_rank_and_their_part():
    assert judge(["neural networks", "vision", "speech recognition", "train"]).verdicts == (
        Verdict("neural networks", present=True, hit=True, problem=None),
        Verdict("vision", present=False, hit=False, problem=None),
        Verdict("speech recognition", present=False, hit=True, problem=None),
        Verdict("train", present=True, hit=False, problem=None),
    )


@pytest.mark.parametrize(
    ("predictions", "overrides", "problem"),
    [
        (["speech", "Speech"], {}, "duplicate of an earlier prediction"),
        (["speech, and more"], {}, "contains punctuation"),
        (["<unk> networks"], {}, "contains an unknown word"),
        (["—"], {}, "contains no word"),
        (["speech", "robust"], {"one_word": "first"}, "only the first single-word prediction counts"),
        (["speech", "Speech"], {"duplicates": "wrong"}, None),
    ],
)
def test_a_prediction_that_is_passed_over_says_why(predictions, overrides, problem):
    verdict = judge(predictions, **overrides).verdicts[-1]
    assert verdict.problem == problem
    assert not verdict.hit


def test_targets_are_met_or_missed_and_one_prediction_meets_one_of_two_that_are_alike():
    assert judge(["neural networks"]).targets == (
        GoldTarget("neural network (NN)", present=True, met=True),
        GoldTarget("speech", present=True, met=False),
        GoldTarget("speech recognition", present=False, met=False),
        GoldTarget("Neural networks", present=True, met=False),
    )


def test_a_hit_that_is_passed_over_meets_nothing():
    document = Document(id="1", body="see a, b", keyphrases=("a, b",))
    judgement = judge(["a, b"], document=document)
    assert [(verdict.hit, verdict.problem) for verdict in judgement.verdicts] == [(False, "contains punctuation")]
    assert not judgement.targets[0].met


@pytest.mark.parametrize("protocol", protocols.PROTOCOLS)
@pytest.mark.parametrize("overrides", [{}, {"duplicates": "wrong"}, {"brackets": "both"}, {"empty_gold": "drop"}])
def test_judgements_add_up_to_what_scores_are_computed_from(protocol, overrides):
    rng = np.random.default_rng(0)
    words = ["net", "nets", "speech", "robust", ",", "(nn)", "<unk>", "model", "—"]
    rules = protocols.find(protocol, overrides)
    matcher = Matcher(rules)

    def phrases(most):
        return [" ".join(rng.choice(words, rng.integers(1, 3))) for _ in range(rng.integers(most))]

    for number in range(60):
        document = Document(id=str(number), body=" ".join(rng.choice(words, 12)), keyphrases=tuple(phrases(6)))
        predictions = phrases(9)
        judgement, parts = matcher.judge(document, predictions), matcher.match([compared(rules, document, predictions)])
        for name, present in (("present", True), ("absent", False)):
            valid = [v.hit for v in judgement.verdicts if v.problem is None and v.present == present]
            assert valid == parts[name].hits[0, : parts[name].predicted[0]].tolist()
            assert sum(target.present == present for target in judgement.targets) == parts[name].targets[0]
        met = sum(target.met for target in judgement.targets)
        assert met == parts["all"].hits.sum()
