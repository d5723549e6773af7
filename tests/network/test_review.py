"""Review attention and restarts, by hand."""

import pytest
import torch

from keyseq.config import load_settings
from keyseq.errors import KeyseqError
from keyseq.network.decoder import HIDDEN
from keyseq.network.piece import StepInput

from .conftest import SIZES, collated, make_network, model_settings


@pytest.fixture
def network():
    return make_network(model_settings("catseq", review="true"))


def reviewed(network, first, states):
    """ρ of each of the states (T, H) of one document."""
    review = network.pieces["review"]
    reading = StepInput(torch.zeros(1, len(states), dtype=torch.long), None, None, in_sequence=True)
    return review.features(review.start(None, first[None])[:, None], states[None], reading)[0]


def test_before_the_first_word_there_is_only_the_initial_state(network):
    first, states = torch.randn(8).double(), torch.randn(3, 8).double()
    torch.testing.assert_close(reviewed(network, first, states)[0], first)


def test_without_energies_the_states_before_are_averaged(network):
    torch.nn.init.zeros_(network.pieces["review"].squash.weight)
    first, states = torch.zeros(8).double(), torch.zeros(2, 8).double()
    first[0] = states[0, 1] = 1
    assert reviewed(network, first, states)[1, :2].tolist() == pytest.approx([0.5, 0.5])


def test_what_comes_later_is_not_reviewed(network):
    first, states = torch.randn(8).double(), torch.randn(4, 8).double()
    before = reviewed(network, first, states)
    states[2:] = 7.0
    torch.testing.assert_close(reviewed(network, first, states)[:2], before[:2])


def test_a_review_that_nothing_reads_leaves_catseq_with_coverage(batch):
    network = make_network(model_settings("corrrnn"))
    plain = make_network(model_settings("catseq", coverage="true"))
    with torch.no_grad():
        weights = plain.state_dict()
        columns = network.decoder.readout.joint.weight
        columns[:, weights["decoder.readout.joint.weight"].shape[1] :] = 0
        weights["decoder.readout.joint.weight"].copy_(columns[:, : weights["decoder.readout.joint.weight"].shape[1]])
        for name, weight in weights.items():
            if name != "decoder.readout.joint.weight":
                weight.copy_(network.state_dict()[name])
    torch.testing.assert_close(network(batch).log_likelihood, plain(batch).log_likelihood)


def test_every_phrase_starts_from_the_initial_state():
    """With words that say nothing, the state after <sep> is that after <s>."""
    network = make_network(model_settings("catseq", restart="true"))
    batch = collated(0)  # 6, 20, <sep>, 15, <sep>, 21, 7
    output = network(batch)
    torch.testing.assert_close(output.states[0, 3], output.states[0, 0])
    torch.testing.assert_close(output.states[0, 5], output.states[0, 0])
    assert not torch.isclose(output.states[0, 1], output.states[0, 0]).all()
    encoded = network.encode(batch.source, batch.source_lengths)
    assert set(network.start(encoded)) == {HIDDEN, "restart"}


def test_restarts_of_single_phrases_are_refused():
    sizes = [f"model.{name}={value}" for name, value in SIZES.items()]
    with pytest.raises(KeyseqError, match=r"model\.restart acts between the phrases .*one2one has none"):
        load_settings("corrrnn", [*sizes, "model.restart=true", "target.paradigm=one2one"])
