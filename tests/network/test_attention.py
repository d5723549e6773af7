import torch

from keyseq.network.attention import Attention, Memory


def attend(mask, lengths=None, query=0.5):
    """One unit everywhere and weights of 1: the energy of a word is tanh(query + key)."""
    attention = Attention(1, 1, 1)
    with torch.no_grad():
        for weight in attention.parameters():
            weight.fill_(1.0)
        attention.query.bias.zero_()
    keys = torch.tensor([[[0.0], [0.5], [-0.5]]])
    mask = torch.tensor([mask])
    memory = Memory(states=keys, keys=keys, lengths=mask.sum(dim=1), mask=mask, final=keys[:, 0])
    return attention(torch.full((1, 2, 1), query), memory, lengths=lengths)[0, 0].exp()


def test_importance_by_hand():
    energies = torch.tanh(torch.tensor([0.5, 1.0, 0.0]))
    torch.testing.assert_close(attend([True, True, True]), energies.exp() / energies.exp().sum())


def test_padding_has_no_importance_with_and_without_lengths_of_targets():
    e = torch.tanh(torch.tensor([0.5, 1.0])).exp()
    expected = torch.tensor([*(e / e.sum()), 0.0])
    torch.testing.assert_close(attend([True, True, False]), expected)
    torch.testing.assert_close(attend([True, True, False], lengths=torch.tensor([2])), expected)


def test_a_text_without_words_gives_numbers():
    assert attend([False, False, False]).isfinite().all()
