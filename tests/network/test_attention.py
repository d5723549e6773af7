import torch

from keyseq.network.attention import Attention, Memory


def attend(mask, lengths=None, query=0.5, said=None):
    """One unit everywhere and weights of 1: the energy of a word is tanh(query + key), and query + 1 more if said."""
    attention = Attention(1, 1, 1, said=said is not None)
    with torch.no_grad():
        for weight in attention.parameters():
            weight.fill_(1.0)
        attention.query.bias.zero_()
    keys = torch.tensor([[[0.0], [0.5], [-0.5]]])
    mask = torch.tensor([mask])
    memory = Memory(states=keys, keys=keys, lengths=mask.sum(dim=1), mask=mask, final=keys[:, 0], words=mask.long())
    states = torch.full((1, 2, 1), query)
    return attention(states, memory, said=None if said is None else torch.tensor([said]), lengths=lengths)[0].exp()


def test_importance_by_hand():
    energies = torch.tanh(torch.tensor([0.5, 1.0, 0.0]))
    torch.testing.assert_close(attend([True, True, True])[0], energies.exp() / energies.exp().sum())


def test_words_that_were_said_weigh_as_the_state_says():
    said = [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0]]
    for lengths in (None, torch.tensor([2])):
        before, after = attend([True, True, True], lengths, said=said)
        energies = torch.tanh(torch.tensor([0.5, 1.0, 0.0]))
        torch.testing.assert_close(before, energies.softmax(dim=0))
        torch.testing.assert_close(after, (energies + torch.tensor([1.5, 0.0, 1.5])).softmax(dim=0))


def test_padding_has_no_importance_with_and_without_lengths_of_targets():
    e = torch.tanh(torch.tensor([0.5, 1.0])).exp()
    expected = torch.tensor([*(e / e.sum()), 0.0])
    torch.testing.assert_close(attend([True, True, False])[0], expected)
    torch.testing.assert_close(attend([True, True, False], lengths=torch.tensor([2]))[0], expected)


def test_a_text_without_words_gives_numbers():
    assert attend([False, False, False]).isfinite().all()
