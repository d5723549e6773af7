import pytest
import torch

from keyseq.network import energy as module
from keyseq.network.energy import blockwise_energy, energy


def parts(documents=3, queries=5, keys=7, size=4, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shapes = ((documents, queries, size), (documents, keys, size), (size,))
    return [torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True) for shape in shapes]


def plain(queries, keys, weights):
    """`energy` of keys that lie as `blockwise_energy` takes them."""
    return energy(queries, keys.transpose(1, 2)[:, None], weights[None])


def test_energy_by_hand():
    """w · tanh(q + k) with q = (0, 1), k = (0.5, −1), w = (2, 3)."""
    got = energy(torch.tensor([[[0.0, 1.0]]]), torch.tensor([[[[0.5], [-1.0]]]]), torch.tensor([[2.0, 3.0]]))
    assert got.item() == pytest.approx(2 * 0.46211715726)


@pytest.mark.parametrize("block", [1, 60, 1 << 17], ids=["a query at a time", "two queries at a time", "all at once"])
def test_blocks_give_the_plain_formula_and_its_gradients(block, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", block)
    tensors = parts()
    queries, keys = torch.tensor([5, 2, 4]), torch.tensor([7, 3, 1])
    inside = (torch.arange(5) < queries[:, None])[:, :, None] & (torch.arange(7) < keys[:, None])[:, None, :]
    expected = plain(*tensors) * inside
    got = blockwise_energy(*tensors, queries, keys)
    torch.testing.assert_close(got, expected)
    weights = torch.randn(got.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    slopes = torch.autograd.grad((expected * weights).sum(), tensors)
    # the attention masks what lies beyond the lengths, so no gradient comes from there
    blocks = torch.autograd.grad((got * weights * inside).sum(), tensors)
    torch.testing.assert_close(blocks, slopes)


def test_gradients_of_blocks_agree_with_finite_differences():
    full = torch.tensor([5, 5, 5]), torch.tensor([7, 7, 7])
    assert torch.autograd.gradcheck(lambda *tensors: blockwise_energy(*tensors, *full), parts())


@pytest.mark.parametrize("scale", [1.0, 7.0, 1000.0], ids=["moderate", "saturated", "beyond the range of e^2x"])
def test_float32_is_as_exact_as_tanh_and_never_overflows(scale):
    *rows, weights = (part.detach().float() for part in parts(queries=40, keys=30, size=50))
    exact = [(scale * part).requires_grad_() for part in (*rows, weights)]
    full = torch.tensor([40, 40, 40]), torch.tensor([30, 30, 30])
    if scale == 1000:  # opposite numbers beyond ±40 are as if they were ±40
        exact = [part.detach().sign().mul(scale).requires_grad_() for part in exact]
    got, expected = blockwise_energy(*exact, *full), plain(*exact)
    error = 50 * torch.finfo(torch.float32).eps * exact[2].abs().max().item()
    torch.testing.assert_close(got, expected, rtol=0, atol=error)
    gradients = torch.autograd.grad(got.sum(), exact), torch.autograd.grad(expected.sum(), exact)
    torch.testing.assert_close(*gradients, rtol=1e-4, atol=40 * error)


def test_a_document_without_words_or_steps_has_no_energies():
    got = blockwise_energy(*parts(), torch.tensor([5, 0, 4]), torch.tensor([0, 3, 1]))
    assert (got[:2] == 0).all()
    got.sum().backward()


def test_mixed_precision_is_computed_in_that_of_the_weights():
    """Under autocast queries and keys come as bfloat16, the weights as they are."""
    *rows, weights = (part.detach().float() for part in parts())
    halves = [part.bfloat16().requires_grad_() for part in rows]
    got = blockwise_energy(*halves, weights, torch.tensor([5, 5, 5]), torch.tensor([7, 7, 7]))
    assert got.dtype == torch.float32
    torch.testing.assert_close(got, plain(*(part.float() for part in halves), weights))
    got.sum().backward()
    assert halves[0].grad.dtype == torch.bfloat16
