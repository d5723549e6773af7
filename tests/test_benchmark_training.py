import numpy as np
import pytest
import torch
from benchmarks.plain_seq2seq import PlainSeq2Seq
from benchmarks.training import products
from benchmarks.training_worker import Task, documents, measure

from keyseq.config import load_settings
from keyseq.config.loading import available
from keyseq.data.vocabulary import SEP
from keyseq.network.losses import total_loss
from keyseq.network.seq2seq import Seq2Seq

torch.set_num_threads(1)

SIZES = ("model.vocabulary=60", "model.encoder_size=5", "model.hidden_size=6", "model.dropout=0")


@pytest.mark.parametrize("packed", [True, False])
def test_the_plain_implementation_computes_the_same_loss_and_gradients(packed):
    """Else it would be no baseline: the figures compare two ways to one result."""
    torch.manual_seed(0)
    settings = load_settings("catseq", SIZES)
    network = Seq2Seq(settings.model, 60)
    plain = PlainSeq2Seq(network, packed)
    batch = documents(3, 60)
    shared = [network.pointer.vocabulary.weight, network.decoder.attention.key.weight, network.embedding.weight]
    losses = [total_loss(network(batch), batch, settings.loss).total, plain(batch)]
    gradients = [torch.autograd.grad(loss, shared) for loss in losses]
    torch.testing.assert_close(*losses)
    torch.testing.assert_close(*gradients, rtol=1e-4, atol=1e-6)


def test_documents_have_the_stated_lengths_and_words_to_copy():
    batch = documents(20, 500)
    assert 180 <= batch.source_lengths.min() <= batch.source_lengths.max() <= 250
    assert 20 <= batch.target_lengths.min() <= batch.target_lengths.max() <= 25
    assert (batch.source_extended >= 500).any()
    assert (batch.target_output == SEP).any()


def test_the_operations_are_counted_as_by_hand():
    """Two directions, three gates, 100 + 150 inputs; three products of two operations for each weight."""
    work = products(load_settings("catseq").model, source=10, target=2)
    assert work["output"] == 6 * 2 * 150 * 50_000
    assert work["encoder"] == 6 * (2 * 10 * 450 * 250 + 10 * 300 * 150)


@pytest.mark.parametrize("system", available())
def test_every_system_is_measured_on_its_own_inputs(system):
    sizes = ("model.vocabulary=60", "model.dropout=0", "loss.reward_words=3")
    measured = measure(Task(settings=system, documents=2, steps=1, overrides=sizes))
    assert measured.seconds > 0
    assert np.isfinite(measured.loss)


@pytest.mark.parametrize("plain", [False, True])
def test_a_worker_measures_a_step(plain):
    measured = measure(Task(plain=plain, documents=2, steps=1, overrides=SIZES, parts=not plain))
    assert measured.seconds > 0
    assert 0 < measured.loss < 10
    assert set(measured.parts) == (set() if plain else {"encoder", "decoder", "attention", "output", "optimizer"})
