"""One2Set: slots, and which phrase each is trained to say."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from keyseq.config import LossSettings, TargetSettings, load_settings
from keyseq.data.batching import collate, in_slots
from keyseq.data.network_inputs import NetworkInput
from keyseq.data.slots import slot_phrases, slot_words, start_words
from keyseq.data.vocabulary import EOS, SPECIALS, UNK, Vocabulary
from keyseq.decoding.policies import POLICIES
from keyseq.decoding.search import search
from keyseq.errors import KeyseqError
from keyseq.network.assignment import assigned, best_order
from keyseq.network.losses import total_loss
from keyseq.network.seq2seq import Seq2Seq
from keyseq.runtime.torch import torch_stepper

from . import transcription
from .conftest import SOURCES, WORDS, make_network, model_settings

NULL, STARTS = 5, (15, 16, 17, 18)  # of four slots, two for present phrases
SETS = [[[6, 20], [9], [7, 8, 20], [NULL]], [[10], [NULL], [NULL], [NULL]], [[13, 14], [12], [19], [6, 7]]]
LARGER = dict.fromkeys(
    ("embedding_size", "encoder_size", "hidden_size", "attention_size", "output_size", "switch_size"), 16
)
LOSS = LossSettings(null_present=0.2, null_absent=0.1)


@pytest.fixture
def batch():
    targets = [np.array(phrase) for phrases in SETS for phrase in phrases]
    made = collate([np.array(source) for source in SOURCES], targets, WORDS)
    return in_slots(made, [phrase == [NULL] for phrases in SETS for phrase in phrases], STARTS, LOSS)


def slot(w, settings, source, code, words):
    """log p of each word of a slot, its end included, and the distributions."""
    known = [word if word < WORDS else UNK for word in source]
    p, _, _ = transcription.decode(w, settings, known, source, [code, *words], size=WORDS + 2, inputs={})
    return np.log(p[np.arange(len(words) + 1), [*words, EOS]]), p


def expected_order(w, settings, source, phrases):
    """The order of targets with the largest sum of Σ p over the first two words, all 2 × 2 orders tried."""
    gains = np.zeros((4, 4))
    for number, code in enumerate(STARTS):
        first = slot(w, settings, source, code, [])[1][0]
        second = slot(w, settings, source, code, [int(first.argmax())])[1][1]
        for target, phrase in enumerate(phrases):
            words = [*phrase, EOS][:2]
            gains[number, target] = (
                0 if phrase == [NULL] else sum(p[word] for p, word in zip((first, second), words, strict=True))
            )
    orders = [[*a, *b] for a in ([0, 1], [1, 0]) for b in ([2, 3], [3, 2])]
    return max(orders, key=lambda order: sum(gains[place, target] for place, target in enumerate(order)))


@pytest.mark.parametrize("changes", [{}, {"input_feeding": "true"}, {"coverage": "true"}], ids=str)
def test_each_slot_says_the_phrase_that_fits_it_best_as_in_the_transcription(batch, changes):
    settings = model_settings("one2set", **changes)
    network = make_network(settings, seed=4)
    w = transcription.weights(network)
    output = network(batch).log_likelihood.view(3, 4, -1).detach()
    total, moved = 0, 0
    for number, (source, phrases) in enumerate(zip(SOURCES, SETS, strict=True)):
        order = expected_order(w, settings, source, phrases)
        moved += order != [0, 1, 2, 3]
        for place, target in enumerate(order):
            phrase = phrases[target]
            weight = (0.2, 0.2, 0.1, 0.1)[place] if phrase == [NULL] else 1
            wanted = weight * slot(w, settings, source, STARTS[place], phrase)[0]
            np.testing.assert_allclose(output[number, place, : len(wanted)], wanted, rtol=1e-6)
            total -= wanted.sum()
    assert moved, "the case must be one in which slots change their phrases"
    words = sum(len(phrase) + 1 for phrases in SETS for phrase in phrases)
    assert total_loss(network(batch), batch, LOSS).nll.item() == pytest.approx(total / words, rel=1e-6)


def test_gradients_agree_with_finite_differences(batch):
    network = make_network(model_settings("one2set"), seed=4)
    parameters = [weight for name, weight in network.named_parameters() if "embedding" not in name]
    network(batch).log_likelihood.sum().backward()
    generator = torch.Generator().manual_seed(1)
    directions = [torch.randn(p.shape, generator=generator, dtype=p.dtype) for p in parameters]
    slope = sum((p.grad * d).sum() for p, d in zip(parameters, directions, strict=True))
    found = []
    for distance in (1e-6, -1e-6):
        with torch.no_grad():
            torch._foreach_add_(parameters, directions, alpha=distance)
            found.append(network(batch).log_likelihood.sum().item())
            torch._foreach_add_(parameters, directions, alpha=-distance)
    assert (found[0] - found[1]) / 2e-6 == pytest.approx(slope.item(), rel=1e-5)


def test_slots_learn_to_say_the_phrases_of_a_text_each_another_one():
    """Which half of a text is marked by the word before it; the search gives the same set of phrases."""
    sources = [[6, 7 + n % 4, 8, 9 + n % 3, 6, 11 + n % 4, 10] for n in range(4)]
    sets = [[[source[1]], [source[5], 10], [NULL], [NULL]] for source in sources]
    targets = [np.array(phrase) for phrases in sets for phrase in phrases]
    made = collate([np.array(source) for source in sources], targets, WORDS)
    batch = in_slots(made, [phrase == [NULL] for phrases in sets for phrase in phrases], STARTS, LOSS)
    torch.manual_seed(0)
    network = Seq2Seq(model_settings("one2set", dropout=0, **LARGER), WORDS)
    optimizer = torch.optim.Adam(network.parameters(), 0.03)
    for _ in range(60):
        optimizer.zero_grad()
        total_loss(network(batch), batch, LOSS).total.backward()
        optimizer.step()
    policy = replace(POLICIES["greedy"]["one2set"], starts=STARTS)
    found = search(torch_stepper(network), [NetworkInput(np.array(source)) for source in sources], policy)
    said = [sorted(hypothesis.tokens.tolist() for hypothesis in one) for one in found]
    assert said == [sorted(phrases) for phrases in sets]


def test_the_assignment_is_the_best_one_not_the_greedy_one():
    """Slot 1 would rather say the first phrase, but .8 + .8 is more than .9 + .1; halves do not mix."""
    gains = np.full((4, 4), 5.0)
    gains[:2, :2] = [[0.9, 0.8], [0.8, 0.1]]
    gains[2:, 2:] = [[1, 0], [0, 1]]
    assert best_order(gains).tolist() == [1, 0, 2, 3]


def test_slots_are_assigned_without_dropout_and_dropout_comes_back(batch):
    network = make_network(model_settings("one2set", dropout=0.5), seed=4).train()
    torch.manual_seed(0)
    first = assigned(network, batch)
    assert torch.equal(first.target_output, assigned(network, batch).target_output)
    assert network.training


def test_slots_of_a_half_hold_its_phrases_or_a_sample_of_them():
    settings = TargetSettings(paradigm="one2set", slots=4)
    assert slot_phrases(np.array([3, -1]), settings, (0, 0, 0)) == [0, -1, 1, -1]
    many = slot_phrases(np.array([3, 5, 7, -1]), settings, (0, 0, 0))
    assert len(set(many[:2]) & {0, 1, 2}) == 2
    assert many[2:] == [3, -1]


def test_control_codes_are_words_of_the_vocabulary_or_the_network_is_refused():
    settings = TargetSettings(paradigm="one2set", slots=2)
    assert slot_words(settings) == ["<null>", "<slot1>", "<slot2>"]
    assert slot_words(TargetSettings()) == []
    assert start_words(settings, Vocabulary([*SPECIALS, *slot_words(settings)])) == (6, 7)
    with pytest.raises(KeyseqError, match=r"one2set: the vocabulary has no control codes; train a new network"):
        start_words(settings, Vocabulary([*SPECIALS, "word"]))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("target.slots=3", r"target\.slots must be even"),
        ("loss.repetition=1", r"loss\.repetition needs phrases in one sequence; set target\.paradigm=one2seq"),
        ("model.tags=true", r"one2set cannot train a tag decoder; set model\.tags=false"),
        ("model.restart=true", r"acts between the phrases of a sequence; target\.paradigm=one2set has none"),
        ("model.document_vector=true", r"acts between the phrases of a sequence; target\.paradigm=one2set has none"),
    ],
)
def test_what_a_set_cannot_have_is_refused(override, message):
    with pytest.raises(KeyseqError, match=message):
        load_settings("one2set", [override])
