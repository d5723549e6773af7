"""The mean of networks: their weights, weighted; networks that do not fit are refused."""

import pytest
import torch

from keyseq.config import load_settings
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import KeyseqError
from keyseq.network.averaging import average
from keyseq.network.seq2seq import Seq2Seq
from keyseq.network.storage import Stored, save_network


def network(folder, value, words=("a", "b", "c"), **model):
    """A network all of whose weights have one value."""
    changes = [f"model.{name}={number}" for name, number in model.items()]
    settings = load_settings("tiny", ["model.vocabulary=8", *changes])
    made = Seq2Seq(settings.model, 8)
    for parameter in made.parameters():
        torch.nn.init.constant_(parameter, value)
    folder.mkdir()
    save_network(Stored(made, settings, Vocabulary.from_words(words)), folder)
    return folder


def test_every_weight_is_the_mean_by_shares(tmp_path):
    first, second = network(tmp_path / "first", 1.0), network(tmp_path / "second", 5.0)
    mean = average({first: 3, second: 1})  # (3 * 1 + 1 * 5) / 4
    for name, parameter in mean.network.named_parameters():
        assert torch.equal(parameter, torch.full_like(parameter, 2.0)), name


def test_one_network_is_its_own_mean(tmp_path):
    alone = network(tmp_path / "alone", 3.0)
    assert all((parameter == 3).all() for parameter in average({alone: 0.25}).network.parameters())


def test_networks_of_other_words_are_refused(tmp_path):
    first, second = network(tmp_path / "first", 1.0), network(tmp_path / "second", 1.0, words=("a", "c", "b"))
    with pytest.raises(KeyseqError, match=r"second: has a different vocabulary than .*first"):
        average({first: 1, second: 1})


def test_networks_of_another_shape_are_refused(tmp_path):
    first, second = network(tmp_path / "first", 1.0), network(tmp_path / "second", 1.0, attention_size=3)
    with pytest.raises(KeyseqError, match="belongs to a network with other settings"):
        average({first: 1, second: 1})


def test_a_network_without_its_words_is_told_as_that(tmp_path):
    first, second = network(tmp_path / "first", 1.0), network(tmp_path / "second", 1.0)
    (second / "vocabulary.txt").unlink()
    with pytest.raises(KeyseqError, match=r"second.vocabulary\.txt: no such file"):
        average({first: 1, second: 1})
