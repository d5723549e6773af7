from dataclasses import replace

import numpy as np
import pytest
import torch

from keyseq.config import load_settings
from keyseq.data.batching import collate
from keyseq.data.vocabulary import BOS, PAD, SEP, UNK
from keyseq.network.dropout import Dropout
from keyseq.network.seq2seq import Seq2Seq

from . import transcription
from .conftest import RETRIEVED, SOURCES, TARGETS, TITLES, WORDS, collated, make_network, model_settings, nearness

VARIANTS = {
    "catseq": {"name": "catseq"},
    "catseqd": {"name": "catseqd"},
    "released": {"name": "released"},
    "relu bridge": {"name": "catseq", "bridge": "relu"},
    "released switch": {"name": "catseq", "switch": "output"},
    "target encoder from the source": {"name": "catseqd", "target_encoder_start": "source"},
    "input feeding": {"name": "catseqd", "input_feeding": "true"},
    "coverage": {"name": "catseq", "coverage": "true"},
    "generated words": {"name": "catseq", "generated_words": "true"},
    "generated words, step by step": {"name": "catseqd", "generated_words": "true", "coverage": "true"},
    "context gate": {"name": "catseqd", "context_gate": "both"},
    "title guide": {"name": "tg-net", "title_weight": 0.3},
    "word graph": {"name": "catseq", "word_graph": 2},
    "generated counts": {"name": "catseq", "generated_counts": "true"},
    "document vector": {
        "name": "catseq",
        "word_graph": 1,
        "generated_counts": "true",
        "document_vector": "true",
        "input_feeding": "true",
    },
    "review": {"name": "catseqd", "review": "true"},
    "review and coverage": {"name": "corrrnn"},
    "restart": {"name": "corrrnn", "restart": "true"},
    "retrieved phrases": {"name": "kg-ke-kr"},
    "retrieved phrases and coverage": {"name": "catseqd", "retrieved": "true", "coverage": "true", "review": "true"},
    "fewer output words": {"name": "catseqd", "output_vocabulary": 13},
}

# Of each target: at which step a phrase begins, and the words that earlier ones began with, <unk> aside
REPEATS = [[(3, 6), (5, 6), (5, 15)], [], []]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_equation_agrees_with_its_transcription(variant, batch):
    settings = model_settings(**VARIANTS[variant])
    network = make_network(settings)
    output = network(batch, repeats=True)
    w = transcription.weights(network)
    sources, repeats = [], []
    for number, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        known = [word if word < WORDS else 1 for word in source]
        inputs = [BOS, *target]
        p, states, target_states = transcription.decode(
            w, settings, known, source, inputs, WORDS + 2, further_inputs(number)
        )
        steps = len(inputs)
        gold = np.array([*target, 3])
        unreachable = p[np.arange(steps), gold] == 0
        gold[unreachable] = 1  # neither generated nor copied: counts as <unk>
        expected = np.log(p[np.arange(steps), gold])
        np.testing.assert_allclose(output.log_likelihood[number, :steps].detach(), expected, rtol=1e-9)
        np.testing.assert_allclose(output.states[number, :steps].detach(), states, rtol=1e-9, atol=1e-12)
        assert (output.log_likelihood[number, steps:] == 0).all()
        repeats += [p[step, word] for step, word in REPEATS[number]]
        final = transcription.encode(w, settings, known, further_inputs(number))[1]
        sources.append((final, target_states))
    np.testing.assert_allclose(output.repeats.exp().detach(), repeats, rtol=1e-9)
    if settings.target_encoder:
        for row, (_, target_states) in enumerate(sources):
            for column, (final, _) in enumerate(sources):
                bridged = settings.target_encoder_start == "source"
                source = transcription.bridge(w, final) if bridged else final
                expected = source @ w["pieces.target_encoder.bilinear.weight"] @ target_states[-1]
                assert output.scores[row, column].item() == pytest.approx(expected, rel=1e-9)


def test_a_word_outside_the_output_vocabulary_is_copied_or_counts_as_unknown(batch):
    """With 13 output words, word 15 is nowhere in the source, and word 19 is there."""
    settings = model_settings("catseq", output_vocabulary=13)
    network = make_network(settings)
    source, target = batch.source_extended.clone(), batch.target_output.clone()
    target[1, 0] = 19  # the third word of the second source
    likelihood = network(replace(batch, target_output=target)).log_likelihood
    decoded, _ = network.step(batch.target_input[:, :1], *start(network, batch))
    switch = network.pointer.switch(decoded)[1, 0].sigmoid()
    torch.testing.assert_close(likelihood[1, 0], ((1 - switch) * decoded.log_attention[1, 0, 2].exp()).log())
    target[1, 0] = 18  # nowhere
    likelihood = network(replace(batch, target_output=target)).log_likelihood
    generated = network.pointer.vocabulary(decoded.readout)[1, 0].softmax(dim=0)
    torch.testing.assert_close(likelihood[1, 0], (switch * generated[UNK]).log())
    assert source.equal(batch.source_extended)


def further_inputs(number):
    return {"title": TITLES[number], "near": nearness(number), "retrieved": RETRIEVED[number]}


def start(network, batch):
    encoded = network.encode(batch.source, batch.source_lengths, batch.further)
    return network.start(encoded), network.remember(encoded, batch.source_extended)


@pytest.mark.parametrize("variant", VARIANTS)
def test_stepping_agrees_with_teacher_forcing(variant, batch):
    network = make_network(model_settings(**VARIANTS[variant]))
    whole = network(batch)
    state, memory = start(network, batch)
    for step in range(batch.target_input.shape[1]):
        read = batch.target_input[:, step]
        read = read.where(read != UNK, batch.target_output[:, step - 1])
        decoded, state = network.step(read[:, None], state, memory)
        distribution = network.pointer(decoded, batch.source_extended, WORDS + 2)[:, 0]
        torch.testing.assert_close(distribution.exp().sum(dim=1), torch.ones(3).double())
        gold = batch.target_output[:, step]
        reachable = distribution.gather(1, gold[:, None])[:, 0]
        reachable = torch.where(reachable.isinf(), distribution[:, 1], reachable)
        words = gold != PAD
        torch.testing.assert_close(reachable[words], whole.log_likelihood[words, step])
        torch.testing.assert_close(state["hidden"][:, 0], whole.states[:, step])


@pytest.mark.parametrize("variant", ["catseqd", "released", "title guide", "word graph", "retrieved phrases"])
def test_padding_and_neighbours_change_nothing(variant, batch):
    """A document scores the same alone and beside longer ones, and so do its gradients."""
    network = make_network(model_settings(**VARIANTS[variant]))
    together = network(batch)
    for number in range(3):
        alone = network(collated(number))
        steps = alone.log_likelihood.shape[1]
        torch.testing.assert_close(alone.log_likelihood[0], together.log_likelihood[number, :steps])
    together.log_likelihood.sum().backward()
    gradients = {name: weight.grad.clone() for name, weight in network.named_parameters() if weight.grad is not None}
    network.zero_grad()
    for number in range(3):
        network(collated(number)).log_likelihood.sum().backward()
    for name, gradient in gradients.items():
        torch.testing.assert_close(gradient, dict(network.named_parameters())[name].grad)


@pytest.mark.parametrize(
    "settings",
    [
        {"name": "catseqd"},
        {"name": "catseqd", "output_vocabulary": 13},
        {"name": "tg-net"},
        {"name": "corrrnn"},
        {"name": "kg-ke-kr"},
        {"name": "catseq", "word_graph": 2, "generated_counts": "true", "document_vector": "true"},
        {"name": "corrrnn", "coverage": "false", "restart": "true"},
        {"name": "released", "target_encoder_start": "zeros"},  # the other start is detached on its way to the decoder
    ],
    ids=str,
)
def test_gradients_agree_with_finite_differences(settings, batch):
    """Along random directions in the space of all weights that the decoder's loss reaches undetached."""
    network = make_network(model_settings(**settings))
    parameters = [
        p for name, p in network.named_parameters() if not name.startswith(("pieces.target_encoder", "embedding"))
    ]
    network(batch).log_likelihood.sum().backward()
    generator = torch.Generator().manual_seed(1)
    for _ in range(3):
        directions = [torch.randn(p.shape, generator=generator, dtype=p.dtype) for p in parameters]
        slope = sum((p.grad * d).sum() for p, d in zip(parameters, directions, strict=True))
        difference = likelihood_at(network, batch, parameters, directions, 1e-6)
        difference -= likelihood_at(network, batch, parameters, directions, -1e-6)
        assert difference / 2e-6 == pytest.approx(slope.item(), rel=1e-5)


@torch.no_grad()
def likelihood_at(network, batch, parameters, directions, distance):
    torch._foreach_add_(parameters, directions, alpha=distance)
    likelihood = network(batch).log_likelihood.sum().item()
    torch._foreach_add_(parameters, directions, alpha=-distance)
    return likelihood


def test_extreme_weights_give_finite_losses_and_gradients(batch):
    """A switch that is all but certain, energies far apart, logits far apart: probabilities underflow, logs don't."""
    network = make_network(model_settings("catseqd"), dtype=torch.float32)
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(300)
    likelihood = network(batch).log_likelihood
    assert likelihood.isfinite().all()
    assert likelihood.min() < -104, "the case must be one in which a probability would underflow"
    likelihood.sum().backward()
    assert all(p.grad.isfinite().all() for p in network.parameters() if p.grad is not None)


def test_a_source_without_words_gives_numbers():
    network = make_network(model_settings("catseqd"))
    batch = collate([np.array([6, 7]), np.array([], dtype=int)], [np.array([6]), np.array([7])], WORDS)
    likelihood = network(batch).log_likelihood
    likelihood.sum().backward()
    assert likelihood.isfinite().all()
    assert network.encoder.forwards.weight_hh_l0.grad.isfinite().all()


def test_dropout_is_where_the_paper_puts_it(batch, monkeypatch):
    """On x_e, h_e, x_d and h_d, and on nothing else."""
    network = make_network(model_settings("catseqd", dropout=0.1)).train()
    shapes = []
    real = Dropout.forward
    monkeypatch.setattr(Dropout, "forward", lambda self, x: shapes.append((*x.shape, self.rate)) or real(self, x))
    network(batch)
    assert shapes == [(8, 3, 5, 0.1), (3, 8, 8, 0.1), (3, 8, 5, 0.1), (3, 8, 8, 0.1)]


def test_dropout_is_off_in_inference_and_follows_the_seed_in_training(batch):
    network = make_network(model_settings("catseqd"))
    assert network(batch).log_likelihood.equal(network(batch).log_likelihood)
    network.train()
    torch.manual_seed(3)
    first = network(batch).log_likelihood
    second = network(batch).log_likelihood
    torch.manual_seed(3)
    assert network(batch).log_likelihood.equal(first)
    assert not second.equal(first)


def test_the_default_network_has_the_papers_size():
    """Counted by hand: 100-dimensional words, 2 × 150 encoder, 150 decoder, hidden layers of 150, 50,000 outputs."""
    network = Seq2Seq(load_settings("catseq").model, 50_000)
    gru = {size: 3 * 150 * (size + 150 + 2) for size in (100,)}
    by_hand = (
        50_000 * 100
        + 2 * gru[100]
        + (300 * 150 + 150)  # bridge
        + gru[100]  # decoder
        + (150 * 150 + 150) + 300 * 150 + 150  # energy
        + (450 * 150 + 150)  # readout
        + (300 * 150 + 150) + 150 * 150 + (150 + 1)  # switch
        + (150 * 50_000 + 50_000)
    )  # fmt: skip
    assert sum(weight.numel() for weight in network.parameters()) == by_hand


@pytest.mark.parametrize("variant", VARIANTS)
def test_hypotheses_side_by_side_step_as_they_do_alone(variant, batch):
    """The axis of hypotheses in a search is the axis of words in training, but hypotheses do not see each other."""
    network = make_network(model_settings(**VARIANTS[variant]))
    state, memory = start(network, batch)
    ways = [[BOS, 6, 20], [BOS, 12, SEP], [BOS, 9, 9]]
    together = {name: part.repeat_interleave(3, dim=1) for name, part in state.items()}
    for words in zip(*ways, strict=True):
        decoded, together = network.step(torch.tensor([words] * 3), together, memory)
    for number, way in enumerate(ways):
        alone = state
        for word in way:
            one, alone = network.step(torch.full((3, 1), word), alone, memory)
        torch.testing.assert_close(decoded.readout[:, number], one.readout[:, 0])
        for name, part in alone.items():
            torch.testing.assert_close(together[name][:, number], part[:, 0])


def test_a_generated_word_can_lose_all_attention_wherever_it_stands():
    """Also a word outside the vocabulary, and only from the step after it on."""
    network = make_network(model_settings("catseq", generated_words="true"))
    with torch.no_grad():
        network.pieces["generated_words"].gate.weight.zero_()
        network.pieces["generated_words"].gate.bias.fill_(-1000)
    batch = collate([np.array([7, WORDS, 8, 7, WORDS])], [np.array([WORDS, SEP, 7])], WORDS)
    state, memory = start(network, batch)
    left = []
    for word in (BOS, WORDS, SEP, 7):
        decoded, state = network.step(torch.tensor([[word]]), state, memory)
        left.append((decoded.log_attention[0, 0].exp() > 0).tolist())
    assert left[0] == [True] * 5
    assert left[1] == left[2] == [True, False, True, True, False]
    assert left[3] == [False, False, True, False, False]
