"""Rewards and returns of self-critical training, by hand."""

import math

import numpy as np
import pytest
import torch

from keyseq.config import TargetSettings, load_settings
from keyseq.data.batching import collate
from keyseq.data.vocabulary import DIVIDER, EOS, PAD, SEP, Vocabulary
from keyseq.errors import KeyseqError
from keyseq.network.seq2seq import Seq2Seq
from keyseq.training.policy_gradient import PolicySteps, as_targets, generated, returns_of
from keyseq.training.rewards import Reward, Rewards, adaptive_f1
from keyseq.training.steps import make_accelerator

VOCABULARY = Vocabulary.from_words([DIVIDER, "a", "b", "c", "d", "graph", "graphs"])
PEOS, A, B, C, D, GRAPH, GRAPHS = range(5, 12)
GOLD = [("a", "b"), ("c",)]


@pytest.mark.parametrize(
    ("phrases", "reward"),
    [
        ("a b; a b", 0.5),  # the repeat is wrong
        ("c", 0.5),  # with fewer than the gold has, recall
        ("a b; c; x; y", 2 / 3),
        ("a b; c", 1),
        ("x", 0),
        ("", 0),
    ],
)
def test_the_reward_is_f1_or_with_few_phrases_recall(phrases, reward):
    said = [tuple(phrase.split()) for phrase in phrases.split("; ") if phrase]
    assert adaptive_f1(said, GOLD) == pytest.approx(reward)


def test_without_gold_phrases_nothing_can_be_earned():
    assert adaptive_f1([("a",)], []) == adaptive_f1([], []) == 0


@pytest.fixture
def rewards():
    return Rewards(VOCABULARY, TargetSettings())


def test_each_part_has_its_reward_and_stems_are_compared(rewards):
    gold = [A, B, SEP, C, PEOS, GRAPH, EOS]
    assert rewards([C, PEOS, GRAPHS, EOS], gold) == Reward(0.5, 1)
    assert rewards([GRAPHS, PEOS, C, EOS], gold) == Reward(0, 0)
    assert rewards([PEOS, GRAPH, PEOS, GRAPHS, EOS], gold).absent == pytest.approx(0.5 * 1 * 2 / 1.5)  # k is 2
    assert rewards([A, B, SEP, C], gold) == Reward(1, 0)  # cut off before it was divided
    assert rewards([12, PEOS, 13], [12, PEOS, 12]) == Reward(1, 0)  # words of the document alone


def test_the_present_part_is_earned_at_the_divider_and_the_absent_one_at_the_end():
    drawn = [C, PEOS, D, EOS]
    returns = returns_of(drawn, Reward(0.5, 1), Reward(0, 1), PEOS)
    assert returns.tolist() == [0.5, 0.5, 0, 0]
    assert -sum(math.log(0.5) * returns) / len(drawn) == pytest.approx(0.1733, abs=1e-4)
    assert returns_of(drawn, Reward(0, 1), Reward(0, 0.25), PEOS).tolist() == [0.75] * 4
    assert returns_of([C, D], Reward(1, 0), Reward(0, 0), PEOS).tolist() == [1, 1]  # undivided and cut off
    assert not returns_of(drawn, Reward(0.5, 1), Reward(0.5, 1), PEOS).any()


SIZES = ("embedding_size", "encoder_size", "hidden_size", "attention_size", "output_size", "switch_size")


@pytest.fixture(scope="module")
def settings():
    sizes = [*(f"model.{name}=6" for name in SIZES), "model.vocabulary=12", "model.title_guide=false"]
    overrides = ["training.threads=1", "loss.reward_words=5", "training.learning_rate=0.05"]
    return load_settings("catseqtg-2rf1", [*sizes, *overrides])


@pytest.fixture
def network(settings):
    torch.manual_seed(2)
    return Seq2Seq(settings.model, 12)


@pytest.fixture
def batch():
    sources = [np.array([A, 12, B, 12]), np.array([C, D])]
    every = [A, SEP, B, SEP, C, SEP, 12, PEOS, D, SEP, GRAPH]  # so that much is right
    return collate(sources, [np.array(every), np.array(every)], 12)


def test_sequences_are_drawn_by_their_probability(network):
    """With what may not be drawn left out: padding, <unk> and <s>."""
    network.eval()
    batch = collate([np.array([A, 12, B, 12])] * 3000, [np.array([A])] * 3000, 12)
    draws = generated(network, batch, 1)[0][:, 0]
    batch = batch.rows(slice(0, 2))
    encoded = network.encode(batch.source, batch.source_lengths)
    memory, state = network.remember(encoded, batch.source_extended), network.start(encoded)
    decoded, _ = network.step(torch.full((2, 1), 2), state, memory)
    expected = network.pointer(decoded, batch.source_extended, 13)[0, 0].exp()
    expected[:3] = 0
    found = torch.bincount(draws, minlength=13) / 3000
    torch.testing.assert_close(found, expected / expected.sum(), atol=0.04, rtol=0)


def test_the_greedy_sequence_beside_a_drawn_one_is_greedy(network, batch):
    network.eval()
    _, greedy = generated(network, batch, 5)
    for row in range(2):
        end = (greedy[row] == EOS).nonzero()
        assert not len(end) or not greedy[row, int(end[0]) + 1 :].any()
    targets = as_targets(batch, greedy, 12)
    assert targets.target_input[:, 0].tolist() == [2, 2]
    assert torch.equal(greedy, generated(network, batch, 5)[1][:, : greedy.shape[1]])


def test_the_gradient_is_that_of_the_transcribed_loss(network, settings, batch):
    """−Σ log p · Q over the number of drawn words, with the sequences that the step draws by its seed."""
    accelerator = make_accelerator(settings)
    plain = [weight.detach().clone() for weight in network.parameters()]
    steps = PolicySteps(network, settings, accelerator, VOCABULARY)
    steps._seed(2, 0)
    network.eval()
    drawn, greedy = generated(network, batch, settings.loss.reward_words)
    rewards, loss, words = Rewards(VOCABULARY, settings.target), 0.0, 0
    likelihood = network(as_targets(batch, drawn, 12)).log_likelihood
    for row in range(2):
        said, gold = ([word for word in table[row].tolist() if word != PAD] for table in (drawn, batch.target_output))
        mine, usual = rewards(said, gold), rewards([word for word in greedy[row].tolist() if word != PAD], gold)
        divided = said.index(PEOS) if PEOS in said else len(said) - 1
        for place in range(len(said)):
            earned = mine.absent - usual.absent + (mine.present - usual.present if place <= divided else 0)
            loss, words = loss - likelihood[row, place].double() * earned, words + 1
    expected = torch.autograd.grad(loss / words, list(network.parameters()), allow_unused=True)
    terms = steps.take(batch, 2)
    assert terms.loss == pytest.approx(loss.item() / words, abs=1e-6)
    norm = math.sqrt(sum(float(one.square().sum()) for one in expected if one is not None))
    assert norm > 0.001
    assert terms.gradient_norm == pytest.approx(norm, rel=1e-4)
    assert any(not torch.equal(*pair) for pair in zip(plain, network.parameters(), strict=True))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("target.divided=false", "set target.divided=true too"),
        ("loss.orthogonal=1", r"takes the place of the other losses; set loss\.orthogonal to 0"),
        ("loss.extractor=1", r"takes the place of the other losses; set loss\.extractor to 0"),
        ("target.order=random", "needs target.paradigm=one2seq and target.order=present-absent"),
        ("target.paradigm=one2one", "needs target.paradigm=one2seq and target.order=present-absent"),
        ("model.restart=true", "look for <sep> alone"),
        ("loss.reward=f1", "must be one of none, adaptive-f1"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(override, message):
    with pytest.raises(KeyseqError, match=message):
        load_settings("catseqtg-2rf1", [override])
