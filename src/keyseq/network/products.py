"""Matrix products, and tanh, by whichever of PyTorch's libraries is fast on a processor.

PyTorch multiplies float32 matrices with MKL, which uses half of the vector width of AMD's processors, and computes tanh
slowly there. Its other library, oneDNN, uses all of it.
"""

import platform
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

_MINUS_ONE = torch.tensor(-1.0)


def product(rows: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """rows · weightᵀ + bias for (N, I), (O, I) and (O,): (N, O). It records no gradient.

    Faster if `rows`, unlike `weight`, is contiguous.
    """
    if _is_fast(rows):
        found: Tensor = torch.ops.mkldnn._linear_pointwise(rows, weight, bias, "none", [], "")
        return found
    return functional.linear(rows, weight, bias)


def tanh_(numbers: Tensor) -> Tensor:
    """tanh in place, as 2σ(2x) − 1."""
    numbers.mul_(2).sigmoid_()
    return torch.add(_MINUS_ONE, numbers, alpha=2, out=numbers)


class Projection(nn.Linear):
    """A linear layer whose products are fast in training."""

    def forward(self, rows: Tensor) -> Tensor:
        """Map (…, I) to (…, O)."""
        if not (torch.is_grad_enabled() and _is_fast(rows)) or torch.is_autocast_enabled(rows.device.type):
            return super().forward(rows)
        flat: Tensor = _Projection.apply(rows.reshape(-1, self.in_features), self.weight, self.bias)  # type: ignore[no-untyped-call]
        return flat.view(*rows.shape[:-1], self.out_features)


class _Projection(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(rows, weight)
        ctx.has_bias = bias is not None
        return product(rows, weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        rows, weight = ctx.saved_tensors
        to_rows = product(gradient.contiguous(), weight.t()) if ctx.needs_input_grad[0] else None
        return to_rows, product(gradient.t(), rows.t()), gradient.sum(dim=0) if ctx.has_bias else None


def _is_fast(rows: Tensor) -> bool:
    return rows.dtype == torch.float32 and rows.device.type == "cpu" and _has_fast_products()


@cache
def _has_fast_products() -> bool:
    """Whether oneDNN is there for AVX-512, and computes what it should."""
    if platform.machine() not in ("x86_64", "AMD64") or torch.backends.cpu.get_cpu_capability() != "AVX512":
        return False
    try:
        rows, weight = torch.ones(2, 3), torch.arange(12.0).view(4, 3)
        found = torch.ops.mkldnn._linear_pointwise(rows, weight, None, "none", [], "")
    except (AttributeError, RuntimeError):  # PyTorch was built without it, or names it otherwise
        return False
    return torch.equal(found, rows @ weight.t())
