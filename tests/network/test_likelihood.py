import pytest
import torch

from keyseq.network import likelihood as module
from keyseq.network.likelihood import log_likelihood


def parts(scale=1.0):
    generator = torch.Generator().manual_seed(0)
    return [
        (scale * torch.randn(shape, generator=generator, dtype=torch.float64)).requires_grad_()
        for shape in ((6, 4), (11, 4), (11,))
    ]


GOLD = torch.tensor([0, 10, 3, 3, 7, 1])


def plain(hidden, weight, bias):
    return torch.nn.functional.linear(hidden, weight, bias).log_softmax(dim=1).gather(1, GOLD[:, None])[:, 0]


def test_by_hand():
    """Logits 1, 2, 3 of which the second is gold."""
    weight = torch.tensor([[1.0], [2.0], [3.0]])
    got = log_likelihood(torch.tensor([[1.0]]), weight, torch.zeros(3), torch.tensor([1]))
    assert got.item() == pytest.approx(-1.40760596444)


@pytest.mark.parametrize("words", [1, 4, 11, 384])
def test_parts_of_the_vocabulary_give_the_softmax_over_all_of_it(words, monkeypatch):
    monkeypatch.setattr(module, "_words", lambda _: words)
    tensors = parts()
    got, expected = log_likelihood(*tensors, GOLD), plain(*tensors)
    torch.testing.assert_close(got, expected)
    upstream = torch.randn(6, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    gradients = torch.autograd.grad((got * upstream).sum(), tensors)
    torch.testing.assert_close(gradients, torch.autograd.grad((expected * upstream).sum(), tensors))
    assert torch.autograd.gradcheck(lambda *tensors: log_likelihood(*tensors, GOLD), tensors)


@pytest.mark.parametrize("scale", [10.0, 30.0], ids=["logits to hundreds", "logits to thousands"])
def test_a_word_far_above_the_first_ones_does_not_overflow(scale, monkeypatch):
    """The shift is guessed from the first words of the vocabulary; here they are far from the largest."""
    monkeypatch.setattr(module, "_words", lambda _: 2)
    tensors = [part.detach().float().requires_grad_() for part in parts(scale)]
    logits = torch.nn.functional.linear(*tensors)
    assert (logits.amax(dim=1) - logits[:, :2].amax(dim=1)).max() > 88, "e^88 is the largest float32"
    got, expected = log_likelihood(*tensors, GOLD), plain(*tensors)
    rounding = {"rtol": 1e-5, "atol": 4 * torch.finfo(torch.float32).eps * logits.abs().max().item()}
    torch.testing.assert_close(got, expected, **rounding)
    gradients = torch.autograd.grad(got.sum(), tensors)
    torch.testing.assert_close(gradients, torch.autograd.grad(expected.sum(), tensors), **rounding)


def test_nothing_is_kept_where_no_gradient_is_wanted(monkeypatch):
    kept = []
    real = module._exponentials
    monkeypatch.setattr(module, "_exponentials", lambda *a: kept.append(real(*a)) or kept[-1])
    tensors = parts()
    with torch.no_grad():
        log_likelihood(*tensors, GOLD)
    log_likelihood(*tensors, GOLD)
    assert [len(exponentials) for exponentials, _ in kept] == [0, 1]


def test_mixed_precision_is_computed_in_that_of_the_weights():
    hidden, weight, bias = (part.detach().float() for part in parts())
    half = hidden.bfloat16().requires_grad_()
    with torch.autocast("cpu", torch.bfloat16):
        got = log_likelihood(half, weight, bias, GOLD)
    assert got.dtype == torch.float32
    torch.testing.assert_close(got, plain(half.float(), weight, bias))
    got.sum().backward()
    assert half.grad.dtype == torch.bfloat16


@pytest.mark.usefixtures("bfloat16")
def test_products_of_lower_precision_change_neither_loss_nor_gradients_by_much():
    """In training on processors that compute with bfloat16; the rounding of 8 bits is random and averages out."""
    generator = torch.Generator().manual_seed(3)
    draws = [torch.randn(shape, generator=generator) for shape in ((200, 50), (3000, 50), (3000,))]
    tensors = [part.mul_(scale).requires_grad_() for part, scale in zip(draws, (1.0, 0.3, 0.3), strict=True)]
    gold = torch.randint(3000, (200,), generator=generator)
    exact, rounded = (log_likelihood(*tensors, gold, precision) for precision in (None, torch.bfloat16))
    assert rounded.dtype == torch.float32
    assert (rounded - exact).abs().max() < 0.02
    assert (rounded.mean() - exact.mean()).abs() < 0.0005 * exact.mean().abs()
    pairs = zip(*(torch.autograd.grad(found.sum(), tensors) for found in (exact, rounded)), strict=True)
    for plain, other in pairs:
        assert (other - plain).norm() < 0.01 * plain.norm()
