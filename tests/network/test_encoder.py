import torch

from keyseq.network.encoder import Encoder, final, mirrored, reversal


def test_texts_are_reversed_within_their_lengths_and_padding_stays():
    assert reversal(torch.tensor([4, 2, 1, 0]), 4).tolist() == [[3, 2, 1, 0], [1, 0, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]


def test_mirroring_undoes_itself_and_its_gradient_is_mirrored_too():
    order = reversal(torch.tensor([3, 2]), 3)
    states = torch.arange(12.0).view(2, 3, 2).requires_grad_()
    there = mirrored(states, order)
    assert there[0].tolist() == [[4, 5], [2, 3], [0, 1]]
    assert there[1].tolist() == [[8, 9], [6, 7], [10, 11]]
    assert mirrored(there, order).equal(states)
    weights = torch.arange(12.0).view(2, 3, 2)
    (there * weights).sum().backward()
    assert states.grad.equal(mirrored(weights, order))


def test_mirroring_without_gradients_gives_the_same():
    order, states = reversal(torch.tensor([3, 2]), 3), torch.randn(2, 3, 2)
    expected = mirrored(states, order)
    with torch.no_grad():
        assert mirrored(states, order).equal(expected)


def test_the_final_states_are_the_last_forward_and_the_first_backward_one():
    states = torch.tensor([[[1.0, -1.0], [2.0, -2.0], [9.0, -9.0]]])  # two words, one padding
    assert final(states, torch.tensor([2]), hidden_size=1).tolist() == [[2.0, -1.0]]


def test_states_are_those_of_pytorchs_bidirectional_gru():
    torch.manual_seed(0)
    encoder = Encoder(3, 4, dropout=0.0)
    both = torch.nn.GRU(3, 4, batch_first=True, bidirectional=True)
    for name, weight in both.named_parameters():
        one = encoder.backwards if name.endswith("_reverse") else encoder.forwards
        weight.data.copy_(getattr(one, name.removesuffix("_reverse")))
    embedded, lengths = torch.randn(2, 5, 3), torch.tensor([5, 3])
    states, last = encoder(embedded, lengths)
    for row, length in enumerate(lengths):
        expected, ends = both(embedded[row : row + 1, :length])
        torch.testing.assert_close(states[row, :length], expected[0])
        torch.testing.assert_close(last[row], ends[:, 0].flatten())
