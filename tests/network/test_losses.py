import math

import pytest
import torch

from keyseq.config import LossSettings, load_settings
from keyseq.data.vocabulary import EOS, SEP
from keyseq.network.losses import contrastive_loss, orthogonal_penalty, total_loss, unlikelihood
from keyseq.network.seq2seq import Seq2Seq

from .conftest import make_network, model_settings

A, B, C = [1.0, 2.0], [3.0, -1.0], [2.0, 2.0]  # A·B = 1, A·C = 6, B·C = 4


@pytest.mark.parametrize(
    ("states", "separators", "squared", "expected", "reason"),
    [
        ([[A, B, C]], [[1, 1, 0]], False, math.sqrt(2), "each product stands twice in HᵀH, the diagonal not at all"),
        ([[A, B, C]], [[1, 1, 1]], False, math.sqrt(2 * (1 + 36 + 16)), "three separators"),
        ([[A, B, C]], [[0, 1, 0]], False, 0.0, "one separator has no other to be like"),
        ([[A, B, C]], [[0, 0, 0]], False, 0.0, "no separator"),
        ([[A, B, C], [A, C, B]], [[1, 1, 0], [0, 1, 0]], False, math.sqrt(2), "mean over documents with two or more"),
        ([[A, B, C], [A, C, B]], [[1, 1, 0], [1, 1, 0]], False, (math.sqrt(2) + math.sqrt(72)) / 2, "mean of two"),
        ([[A, B, C]], [[1, 1, 1]], True, 2 * (1 + 36 + 16) / 6, "released: mean square over n(n − 1) products"),
        ([[A, [2.0, -1.0]]], [[1, 1]], False, 0.0, "orthogonal already"),
    ],
)
def test_orthogonal_penalty_by_hand(states, separators, squared, expected, reason):
    got = orthogonal_penalty(torch.tensor(states), torch.tensor(separators) == 1, squared=squared)
    assert got.item() == pytest.approx(expected, abs=1e-6), reason


def test_the_gradient_of_the_orthogonal_penalty_is_that_of_its_formula():
    """d‖M‖/dH = 2HM/‖M‖ for M = HᵀH ⊙ (1 − I), by columns; here rows are states."""
    states = torch.tensor([[A, B, C]], dtype=torch.float64, requires_grad=True)
    orthogonal_penalty(states, torch.tensor([[True, True, True]])).backward()
    products = torch.tensor([[0, 1, 6], [1, 0, 4], [6, 4, 0]], dtype=torch.float64)
    torch.testing.assert_close(states.grad[0], 2 * products @ states[0].detach() / products.norm())


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize(
    ("states", "separators"),
    [([[A, [2.0, -1.0]]], [[1, 1]]), ([[A, A]], [[0, 1]]), ([[[0.0, 0.0], [0.0, 0.0]]], [[1, 1]])],
    ids=["orthogonal", "one", "zeros"],
)
def test_the_orthogonal_penalty_has_no_gradient_where_it_is_zero(states, separators, squared):
    """The square root's slope at zero is infinite: a careless norm gives NaN here."""
    states = torch.tensor(states, requires_grad=True)
    orthogonal_penalty(states, torch.tensor(separators) == 1, squared=squared).backward()
    assert (states.grad == 0).all()


def test_contrastive_loss_by_hand_when_all_others_are_negatives():
    scores = torch.tensor([[2.0, 0.0, 1.0], [0.0, 1.0, 0.0], [5.0, 0.0, 0.0]])
    e = math.exp
    expected = -(
        math.log(e(2) / (e(2) + 1 + e(1))) + math.log(e(1) / (1 + e(1) + 1)) + math.log(1 / (e(5) + 1 + 1))
    ) / 3  # fmt: skip
    assert contrastive_loss(scores, negatives=16).item() == pytest.approx(expected)


def test_negatives_are_distinct_and_never_the_document_itself():
    """With scores of 0 everywhere the loss is the logarithm of how many are told apart: true and negatives."""
    for negatives in (0, 1, 3, 9, 16):
        told_apart = 1 + min(negatives, 9)
        loss = contrastive_loss(torch.zeros(10, 10), negatives)
        assert loss.item() == pytest.approx(math.log(told_apart), abs=1e-6)
    # an own score far above all others would be nearly free even if it were drawn twice; far below, it would not be
    own = torch.diag(torch.full((10,), -50.0))
    assert contrastive_loss(own, 16).item() == pytest.approx(50 + math.log(9), abs=1e-4)


def test_the_default_is_a_seventeen_way_classification():
    assert contrastive_loss(torch.zeros(64, 64), LossSettings().negatives).item() == pytest.approx(math.log(17))


def test_negatives_follow_the_generator_and_differ_between_documents():
    scores = torch.randn(30, 30, generator=torch.Generator().manual_seed(0))
    first, again, other = (contrastive_loss(scores, 4, torch.Generator().manual_seed(seed)) for seed in (1, 1, 2))
    assert first.equal(again)
    assert not first.equal(other)


def test_a_batch_of_one_costs_nothing_and_teaches_nothing():
    scores = torch.tensor([[3.0]], requires_grad=True)
    loss = contrastive_loss(scores, 16)
    loss.backward()
    assert loss.item() == 0
    assert scores.grad.item() == 0


def test_unlikelihood_by_hand():
    probabilities = torch.tensor([0.5, 0.2, 0.0])
    assert unlikelihood(probabilities.log()).item() == pytest.approx(-math.log(0.5) - math.log(0.8))


def test_a_repeat_that_is_certain_costs_much_but_not_everything():
    log_probabilities = torch.tensor([0.0], requires_grad=True)
    loss = unlikelihood(log_probabilities)
    loss.backward()
    assert 10 < loss.item() < 100
    assert log_probabilities.grad.isfinite().all()


def test_repeats_are_unlearnt_where_it_is_asked_for(batch):
    network = make_network(model_settings("catseq"))
    output = network(batch, repeats=True)
    words = 8 + 2 + 4
    losses = total_loss(output, batch, LossSettings(repetition=0.5))
    torch.testing.assert_close(losses.repetition, -(1 - output.repeats.exp()).log().sum() / words)
    torch.testing.assert_close(losses.total, losses.nll + 0.5 * losses.repetition)
    assert total_loss(network(batch), batch, LossSettings()).repetition == 0


def gradients(network, loss):
    network.zero_grad()
    loss.backward()
    named = network.named_parameters()
    return {name for name, weight in named if weight.grad is not None and weight.grad.abs().sum() > 0}


def test_each_loss_teaches_only_the_parts_the_paper_lets_it(batch):
    network = make_network(model_settings("catseqd"))
    loss = LossSettings(orthogonal=1.0, semantic=0.03)
    of = {part: gradients(network, getattr(total_loss(network(batch), batch, loss), part)) for part in
          ("nll", "orthogonal", "semantic")}  # fmt: skip
    everything = {name for name, _ in network.named_parameters()}
    target_encoder = {name for name in everything if name.startswith("pieces.target_encoder")}
    assert of["nll"] == everything - target_encoder, "the decoder's input from the target encoder is detached"
    assert of["semantic"] == target_encoder | {"embedding.weight"}, "the source encoder's state is detached"
    assert not of["orthogonal"] & target_encoder
    assert {"decoder.gru.weight_hh_l0", "encoder.forwards.weight_hh_l0"} <= of["orthogonal"]


def test_the_released_target_encoder_does_teach_the_source_encoder(batch):
    """Its first state is the source's, which is not detached: a difference that is kept as a setting."""
    network = make_network(model_settings("released"))
    taught = gradients(network, total_loss(network(batch), batch, LossSettings(semantic=0.1)).semantic)
    assert "encoder.forwards.weight_hh_l0" in taught


def test_the_total_is_the_weighted_sum_and_the_likelihood_a_mean_over_words(batch):
    network = make_network(model_settings("catseqd"))
    output = network(batch)
    losses = total_loss(output, batch, LossSettings(orthogonal=0.5, semantic=0.25))
    words = 8 + 2 + 4
    torch.testing.assert_close(losses.nll, -output.log_likelihood.sum() / words)
    expected = orthogonal_penalty(output.states, batch.target_output == SEP)
    torch.testing.assert_close(losses.orthogonal, expected)
    torch.testing.assert_close(losses.total, losses.nll + 0.5 * losses.orthogonal + 0.25 * losses.semantic)


def test_the_end_of_a_sequence_can_count_as_a_separator(batch):
    """As in the figure of the paper; its text speaks of delimiters alone."""
    network = make_network(model_settings("catseqd"))
    output = network(batch)
    settings = LossSettings(orthogonal=1.0, orthogonal_states="separators+end")
    emitted = (batch.target_output == SEP) | (batch.target_output == EOS)
    torch.testing.assert_close(
        total_loss(output, batch, settings).orthogonal, orthogonal_penalty(output.states, emitted)
    )


def test_training_the_tiny_network_brings_every_loss_down(batch):
    settings = load_settings("tiny")
    torch.manual_seed(0)
    network = Seq2Seq(settings.model, 20)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        losses.append(total_loss(network(batch), batch, settings.loss))
        losses[-1].total.backward()
        optimizer.step()
    for part in ("nll", "orthogonal", "semantic"):
        assert getattr(losses[-1], part) < 0.7 * getattr(losses[0], part), part
