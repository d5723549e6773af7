import pytest
import torch

from keyseq.network.attention import Attention
from keyseq.network.memory import Memory


def attend(mask, lengths=None, query=0.5, **added):
    """One unit everywhere and weights of 1: the energy of a word is tanh(query + key)."""
    attention = Attention(1, 1, 1)
    with torch.no_grad():
        for weight in attention.parameters():
            weight.fill_(1.0)
        attention.query.bias.zero_()
    keys = torch.tensor([[[0.0], [0.5], [-0.5]]])
    mask = torch.tensor([mask])
    memory = Memory(states=keys, keys=keys.transpose(1, 2), mask=mask, words=mask.long())
    states = torch.full((1, 2, 1), query)
    lengths = None if lengths is None else (lengths, mask.sum(dim=1))
    return attention(states, memory, lengths=lengths, **added)[0].exp()


def test_importance_by_hand():
    energies = torch.tanh(torch.tensor([0.5, 1.0, 0.0]))
    torch.testing.assert_close(attend([True, True, True])[0], energies.exp() / energies.exp().sum())


@pytest.mark.parametrize("lengths", [None, torch.tensor([2])])
def test_pieces_add_to_energies(lengths):
    added = torch.tensor([[[0.0, 0.0, 0.0], [1.5, 0.0, 1.5]]])
    before, after = attend([True, True, True], lengths, energies=[added])
    energies = torch.tanh(torch.tensor([0.5, 1.0, 0.0]))
    torch.testing.assert_close(before, energies.softmax(dim=0))
    torch.testing.assert_close(after, (energies + added[0, 1]).softmax(dim=0))


@pytest.mark.parametrize("lengths", [None, torch.tensor([2])])
def test_pieces_add_to_keys_inside_the_tanh(lengths):
    added = torch.tensor([[[[0.0, 0.0, 0.0]], [[1.0, 0.0, -1.0]]]])  # (1, 2, 1, 3)
    before, after = attend([True, True, True], lengths, keys=[added])
    torch.testing.assert_close(before, torch.tanh(torch.tensor([0.5, 1.0, 0.0])).softmax(dim=0))
    torch.testing.assert_close(after, torch.tanh(torch.tensor([1.5, 1.0, -1.0])).softmax(dim=0))


def test_padding_has_no_importance_with_and_without_lengths_of_targets():
    e = torch.tanh(torch.tensor([0.5, 1.0])).exp()
    expected = torch.tensor([*(e / e.sum()), 0.0])
    torch.testing.assert_close(attend([True, True, False])[0], expected)
    torch.testing.assert_close(attend([True, True, False], lengths=torch.tensor([2]))[0], expected)


def test_a_text_without_words_gives_numbers():
    assert attend([False, False, False]).isfinite().all()
