import pytest
import torch

from keyseq.network import products as module
from keyseq.network.products import Projection, product, tanh_

PLAIN = torch.nn.functional.linear


def draw(*shape, dtype=torch.float32):
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + shape[0]), dtype=dtype)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("turned", ["neither", "rows", "weight", "both"])
def test_a_product_is_that_of_pytorch_however_its_matrices_lie(turned, bias):
    rows = draw(50, 5).t() if turned in ("rows", "both") else draw(5, 50)
    weight = draw(50, 7).t() if turned in ("weight", "both") else draw(7, 50)
    added = draw(7) if bias else None
    torch.testing.assert_close(product(rows, weight, added), PLAIN(rows, weight, added))


@pytest.mark.usefixtures("bfloat16")
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_other_types_keep_their_type(dtype):
    rows, weight = draw(5, 6, dtype=dtype), draw(7, 6, dtype=dtype)
    assert torch.equal(product(rows, weight), PLAIN(rows, weight))


def test_a_processor_without_it_computes_with_pytorchs_default(monkeypatch):
    monkeypatch.setattr(module, "_has_fast_products", lambda: False)
    rows, weight = draw(5, 6), draw(7, 6)
    assert torch.equal(product(rows, weight), PLAIN(rows, weight))


def test_a_build_without_onednn_is_recognized(monkeypatch):
    class Without:
        @property
        def _linear_pointwise(self):
            raise AttributeError

    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX512")
    monkeypatch.setattr(module.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(torch.ops, "mkldnn", Without())
    assert not module._has_fast_products.__wrapped__()


def test_a_function_of_exponentials_is_tanh():
    numbers = torch.linspace(-100, 100, 2001)
    torch.testing.assert_close(tanh_(numbers.clone()), numbers.tanh(), rtol=0, atol=2e-7)


@pytest.mark.parametrize("bias", [True, False])
def test_a_projection_has_the_output_and_gradients_of_a_linear_layer(bias, monkeypatch):
    """With oneDNN where it is there; with PyTorch's default, the same path is taken on every processor."""
    plain = torch.nn.Linear(6, 7, bias=bias)
    fast = Projection(6, 7, bias=bias)
    fast.load_state_dict(plain.state_dict())
    monkeypatch.setattr(module, "_is_fast", lambda _: True)
    monkeypatch.setattr(module, "product", PLAIN)
    rows = draw(2, 3, 6).requires_grad_()
    outputs = [layer(rows) for layer in (fast, plain)]
    torch.testing.assert_close(*outputs)
    upstream = draw(2, 3, 7)
    gradients = [
        torch.autograd.grad(output, [rows, *layer.parameters()], upstream)
        for output, layer in zip(outputs, (fast, plain), strict=True)
    ]
    torch.testing.assert_close(*gradients)
