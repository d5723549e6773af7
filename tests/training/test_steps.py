import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from keyseq.config import LossSettings, load_settings
from keyseq.data.batching import collate
from keyseq.data.vocabulary import SEP
from keyseq.errors import KeyseqError
from keyseq.network.losses import total_loss
from keyseq.network.seq2seq import Seq2Seq
from keyseq.training import steps as module
from keyseq.training.steps import TERMS, NotFiniteError, Steps, make_accelerator, make_optimizer, part_of, weights

WORDS = 12


@pytest.fixture(scope="module")
def settings():
    return load_settings("tiny", ["model.dropout=0", "training.threads=1"])


@pytest.fixture(scope="module")
def accelerator(settings):
    return make_accelerator(settings)


def batch(phrases=(3, 1, 2, 4, 1)):
    """Documents of different lengths with so many phrases each."""
    sources = [np.arange(5, 6 + number % 7, dtype=np.uint32) for number in range(len(phrases))]
    targets = [np.array(([6, 7, SEP, 8, 7, SEP] * count)[: 3 * count - 1], dtype=np.uint32) for count in phrases]
    return collate(sources, targets, WORDS)


def network(settings):
    torch.manual_seed(1)
    return Seq2Seq(settings.model, WORDS)


@pytest.mark.parametrize("processes", [2, 3, 7])
def test_the_shares_of_all_processes_make_the_loss_of_the_whole_batch(settings, processes):
    """What the processes add up to; seven are more than there are documents."""
    model, whole = network(settings), batch()
    # semantic coverage takes its negatives from the process's own share
    loss_settings = replace(settings.loss, semantic=0.0, repetition=1.0)
    expected = total_loss(model(whole, repeats=True), whole, loss_settings)
    summed = torch.zeros(len(TERMS))
    for process in range(min(processes, len(whole))):
        part = part_of(whole, process, processes)
        summed += _terms(total_loss(model(part, repeats=True), part, loss_settings)) * weights(
            part, whole, loss_settings
        )
    assert expected.repetition > 0
    assert summed.tolist() == pytest.approx(_terms(expected).tolist(), rel=1e-5)


def _terms(losses):
    return torch.stack([getattr(losses, name) for name in TERMS])


def test_a_process_without_a_document_of_its_own_still_takes_part():
    assert len(part_of(batch((1, 2)), process=5, processes=7)) == 1


def test_no_document_with_two_separators_weighs_nothing_instead_of_dividing_by_nothing():
    whole = batch((1, 1, 2))
    assert weights(part_of(whole, 0, 2), whole, LossSettings(orthogonal=1.0)).tolist()[1] == 0


def test_steps_with_equal_numbers_are_equal_and_others_drop_out_other_units(settings, accelerator):
    wet = replace(settings, model=replace(settings.model, dropout=0.5))
    losses = [Steps(network(wet), wet, accelerator).take(batch(), step).loss for step in (1, 1, 2)]
    assert losses[0] == losses[1] != losses[2]


def test_gradients_are_cut_to_their_norm_and_weights_move_by_the_rate(settings, accelerator):
    plain = replace(settings, training=replace(settings.training, optimizer="sgd", learning_rate=0.5, clip=0.01))
    model = network(plain)
    before = torch.nn.utils.parameters_to_vector(model.parameters()).detach().clone()
    terms = Steps(model, plain, accelerator).take(batch(), 1)
    moved = torch.nn.utils.parameters_to_vector(model.parameters()).detach() - before
    assert terms.gradient_norm > 0.01
    assert moved.norm().item() == pytest.approx(0.5 * 0.01, rel=1e-3)
    assert terms.learning_rate == 0.5


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_loss_that_is_no_number_stops_before_the_weights_are_touched(settings, accelerator, value):
    model = network(settings)
    with torch.no_grad():
        model.pointer.vocabulary.bias[6] = value
    before = torch.nn.utils.parameters_to_vector(model.parameters()).detach().clone()
    with pytest.raises(NotFiniteError, match=r"the loss is (nan|inf) \(nll"):
        Steps(model, settings, accelerator).take(batch(), 1)
    after = torch.nn.utils.parameters_to_vector(model.parameters()).detach()
    assert torch.equal(before, after) or torch.equal(before.isnan(), after.isnan())


def test_loss_terms_add_up_with_their_weights(settings, accelerator):
    settings = replace(settings, loss=replace(settings.loss, repetition=0.5))
    terms = Steps(network(settings), settings, accelerator).take(batch(), 1)
    weighted = settings.loss.orthogonal * terms.orthogonal + settings.loss.semantic * terms.semantic
    expected = terms.nll + weighted + settings.loss.repetition * terms.repetition
    assert terms.loss == pytest.approx(expected, rel=1e-6)
    assert terms.orthogonal > 0
    assert terms.semantic > 0
    assert terms.repetition > 0


@pytest.mark.parametrize(("name", "kind"), [("adam", "Adam"), ("adagrad", "Adagrad"), ("sgd", "SGD")])
def test_optimizers_by_name(settings, name, kind):
    training = replace(settings.training, optimizer=name)
    assert type(make_optimizer(network(settings), training)).__name__ == kind


def in_precision(settings, precision):
    return replace(settings, training=replace(settings.training, precision=precision))


@pytest.mark.skipif(torch.accelerator.is_available(), reason="there is a device that may have it")
def test_less_precision_is_refused_where_no_device_has_it(settings, monkeypatch):
    with pytest.raises(KeyseqError, match=r"training\.precision=float16 needs a GPU"):
        make_accelerator(in_precision(settings, "float16"))
    monkeypatch.setattr(module, "bfloat16_problem", lambda: "this processor dies of it")
    with pytest.raises(KeyseqError, match=r"training\.precision=bfloat16: this processor dies of it; use float32"):
        make_accelerator(in_precision(settings, "bfloat16"))


@pytest.mark.skipif(torch.accelerator.is_available(), reason="there is a device that computes all in it")
@pytest.mark.usefixtures("bfloat16")
def test_on_a_cpu_less_precision_is_that_of_the_output_layer_in_training(settings, monkeypatch):
    monkeypatch.setattr(module, "bfloat16_problem", lambda: None)
    settings = in_precision(settings, "bfloat16")
    model, whole = network(settings), batch()
    exact = total_loss(model(whole), whole, settings.loss).total
    steps = Steps(model, settings, make_accelerator(settings))
    assert model.pointer.precision == torch.bfloat16
    rounded = total_loss(model(whole), whole, settings.loss).total
    assert rounded != exact
    assert rounded.item() == pytest.approx(exact.item(), rel=0.01)
    model.eval()
    assert total_loss(model(whole), whole, settings.loss).total == exact, "validation is exact"
    model.train()
    losses = [steps.take(whole, step).nll for step in range(1, 30)]
    assert losses[-1] < 0.5 * losses[0]
