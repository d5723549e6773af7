"""The title-guided encoder, by hand."""

import pytest
import torch

from keyseq.errors import KeyseqError

from .conftest import collated, make_network, model_settings


def seen(network, batch):
    """g, what each source word sees of the title."""
    guide = network.pieces["title_guide"]
    u, _ = network.encoder(network.embedding(batch.source), batch.source_lengths)
    v, _ = guide.title(network.embedding(batch.further["title"]), batch.further["title_lengths"])
    return guide._seen(u, v, batch.further["title_lengths"]), v


@pytest.fixture
def network():
    return make_network(model_settings("tg-net"))


def test_a_title_of_one_word_is_seen_as_it_is_whatever_the_weights_of_the_match(network, batch):
    batch.further["title_lengths"][0] = 1
    g, v = seen(network, batch)
    torch.testing.assert_close(g[0], v[0, :1].expand_as(g[0]))


def test_without_a_match_every_word_sees_the_mean_of_the_title(network, batch):
    torch.nn.init.zeros_(network.pieces["title_guide"].match.weight)
    g, v = seen(network, batch)
    torch.testing.assert_close(g[2, 0], v[2].mean(dim=0))


def test_nothing_is_seen_where_there_is_no_title(network, batch):
    assert not seen(network, batch)[0][1].any()


def test_a_share_of_one_leaves_the_states_and_changes_the_last_ones(batch):
    network = make_network(model_settings("tg-net", title_weight=1.0))
    states, final = network.encoder(network.embedding(batch.source), batch.source_lengths)
    encoded = network.encode(batch.source, batch.source_lengths, batch.further)
    torch.testing.assert_close(encoded.states, states)
    assert not torch.isclose(encoded.final, final).any()


def test_titles_of_other_documents_and_their_padding_change_nothing(network):
    together = network(collated(0, 1, 2)).log_likelihood
    others = collated(0, 1, 2)
    others.further["title"][2, :2] = torch.tensor([8, 9])
    changed = network(others).log_likelihood
    torch.testing.assert_close(changed[:2], together[:2])
    assert not torch.isclose(changed[2, 0], together[2, 0])


@pytest.mark.parametrize("weight", ["1.5", "-0.1"])
def test_a_share_beyond_the_whole_is_refused(weight):
    with pytest.raises(KeyseqError, match=r"model\.title_weight must be at"):
        model_settings("tg-net", title_weight=weight)
