from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch

from keyseq.config import load_settings
from keyseq.data.batching import collate
from keyseq.data.vocabulary import EOS, PAD, SEP, Vocabulary
from keyseq.errors import DataError
from keyseq.network.pointer import Choice
from keyseq.network.seq2seq import Output, Seq2Seq
from keyseq.training.steps import make_accelerator
from keyseq.training.validation import LONGEST, Validation, greedy, selection
from keyseq.types import Document

VOCABULARY = Vocabulary.from_words(["deep", "nets", "graphs", "trees"])  # ids 5, 6, 7, 8; V = 9


@dataclass
class Rows:
    """State and memory of a scripted network: the scripts that are followed, and how far."""

    scripts: list
    width: int
    place: int = 0

    def select(self, rows):
        return replace(self, scripts=[self.scripts[row] for row in rows])


class Scripted:
    """Says a script for each source, step by step: a network without weights."""

    def __init__(self, scripts):
        self.scripts = scripts
        self.read = []

    def encode(self, source, *_):
        return Rows(self.scripts, source.shape[1])

    def start(self, memory):
        return memory

    def step(self, tokens, state, memory):
        assert state.scripts == memory.scripts
        self.read.append(tokens.tolist())
        generated = torch.full((len(tokens), 9), -20.0)
        copied = torch.full((len(tokens), memory.width), -20.0)
        switch = torch.full((len(tokens),), 20.0)
        for row, script in enumerate(state.scripts):
            word = script[state.place] if state.place < len(script) else EOS
            if word >= 0:
                generated[row, word] = -0.1
            else:  # copy the word at this place
                copied[row, -word - 1] = -0.1
                switch[row] = -20.0
        return Choice(generated, switch, copied), replace(state, place=state.place + 1)


def source(*rows):
    ids = [np.array(row, dtype=np.uint32) for row in rows]
    return collate(ids, [np.array([], dtype=np.uint32)] * len(rows), 9)


def test_greedy_says_each_row_until_its_end():
    network = Scripted([[5, SEP, 6, EOS, 7], [7]])
    assert greedy(network, source([5, 6], [7, 8]), 9) == [[5, SEP, 6], [7]]
    assert [len(tokens) for tokens in network.read] == [2, 2, 1, 1]  # a row that has ended costs nothing more


def test_a_copied_word_outside_the_vocabulary_keeps_its_own_id_and_is_read_by_it():
    network = Scripted([[-2, EOS]])
    assert greedy(network, source([5, 9, 10]), 9) == [[9]]
    assert network.read == [[2], [9]]


def test_greedy_never_says_padding_unknown_or_the_beginning():
    for special in (0, 1, 2):
        [said] = greedy(Scripted([[special, EOS]]), source([5]), 9)
        assert not {0, 1, 2} & set(said)


def test_a_sequence_that_does_not_end_is_cut():
    [said] = greedy(Scripted([[5] * 100]), source([5]), 9)
    assert said == [5] * LONGEST


class Speaking(Scripted):
    """One that can be validated: it also has a likelihood of 1/e for every word."""

    def __call__(self, batch):
        return Output(-(batch.target_output != PAD).float(), None, torch.empty(0), None)

    def train(self):
        pass

    def eval(self):
        pass


@pytest.fixture(scope="module")
def settings():
    return load_settings("tiny", ["training.threads=1"])


DOCUMENTS = [
    # sorted by length for decoding: the second document comes first
    Document(id="a", body="deep zeta nets for trees", keyphrases=("zeta nets", "graphs")),
    Document(id="b", body="deep nets", keyphrases=("deep nets",)),
    Document(id="c", body="none", keyphrases=()),
]


def test_scores_worked_out_by_hand(settings):
    validation = Validation(DOCUMENTS, settings, VOCABULARY)
    # b says "deep nets" (right); a copies zeta and generates nets: "zeta nets" (right), then "trees" (wrong)
    network = Speaking([[5, 6], [-2, 6, SEP, 8]])
    values = validation(network, make_accelerator(settings))
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
