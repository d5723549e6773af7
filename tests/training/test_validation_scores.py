from dataclasses import replace

import numpy as np
import pytest
import torch

from keyseq.config import load_settings
from keyseq.data.vocabulary import PAD, SEP, Vocabulary
from keyseq.decoding.hypotheses import Hypothesis
from keyseq.errors import DataError
from keyseq.network.seq2seq import Output, Seq2Seq
from keyseq.training import validation_scores
from keyseq.training.steps import make_accelerator
from keyseq.training.validation_scores import Validation, selection
from keyseq.types import Document

VOCABULARY = Vocabulary.from_words(["deep", "nets", "graphs", "trees"])  # ids 5, 6, 7, 8; V = 9


class Scripted:
    """A network without weights: a likelihood of 1/e for every word."""

    training = True

    def __call__(self, batch):
        return Output(-(batch.target_output != PAD).float(), None, torch.empty(0), None)

    def train(self):
        self.training = True

    def eval(self):
        self.training = False


@pytest.fixture(scope="module")
def settings():
    return load_settings("tiny", ["training.threads=1"])


DOCUMENTS = [
    # sorted by length for decoding: the second document comes first
    Document(id="a", body="deep zeta nets for trees", keyphrases=("zeta nets", "graphs")),
    Document(id="b", body="deep nets", keyphrases=("deep nets",)),
    Document(id="c", body="none", keyphrases=()),
]


def test_scores_worked_out_by_hand(settings, monkeypatch):
    validation = Validation(DOCUMENTS, settings, VOCABULARY)
    # "deep nets" for b (right); a copies zeta and generates nets: "zeta nets" (right), then "trees" (wrong)
    sequences = [np.array([5, 6]), np.array([9, 6, SEP, 8])]
    found = [[Hypothesis(ids, np.zeros(len(ids) + 1), 0.0, finished=True)] for ids in sequences]
    monkeypatch.setattr(validation_scores, "torch_stepper", lambda network: network)
    monkeypatch.setattr(validation_scores, "search", lambda *_: found)
    values = validation(Scripted(), make_accelerator(settings))
    assert values["present.f1@o"] == 1.0  # one present target each, the first guess right
    assert values["present.f1@m"] == pytest.approx((1.0 + 2 / 3) / 2)  # a: P = 1/2, R = 1
    assert values["absent.f1@m"] == 0.0  # a alone has an absent target
    assert values["loss"] == 1.0  # a word


def test_validation_leaves_the_network_training_and_its_loss_is_a_mean_over_words(settings):
    torch.manual_seed(0)
    network = Seq2Seq(settings.model, len(VOCABULARY))
    network.train()
    values = Validation(DOCUMENTS, settings, VOCABULARY)(network, make_accelerator(settings))
    assert network.training
    assert 1.0 < values["loss"] < 4.0  # before training about ln 9 a word


def test_one2one_is_judged_by_its_loss_alone(settings):
    one2one = replace(settings, target=replace(settings.target, paradigm="one2one"))
    torch.manual_seed(0)
    values = Validation(DOCUMENTS, one2one, VOCABULARY)(
        Seq2Seq(settings.model, len(VOCABULARY)), make_accelerator(settings)
    )
    assert set(values) == {"loss"}
    assert selection(values) == -values["loss"]


def test_without_present_phrases_the_absent_ones_decide():
    assert selection({"loss": 1.0, "present.f1@o": 0.3, "absent.f1@o": 0.1}) == 0.3
    assert selection({"loss": 1.0, "absent.f1@o": 0.1}) == 0.1


def test_documents_without_keyphrases_cannot_validate(settings):
    with pytest.raises(DataError, match="no document to validate on"):
        Validation(DOCUMENTS[2:], settings, VOCABULARY)
