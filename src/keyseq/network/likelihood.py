"""The log-probability of gold words under a softmax over a large vocabulary (outer part of equation 11)."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

BLOCK = 1 << 19  # logits computed at a time: two megabytes fit into the processor's cache
LARGE = 1e15


def log_likelihood(hidden: Tensor, weight: Tensor, bias: Tensor, gold: Tensor) -> Tensor:
    """log softmax(W h + b) at `gold` (N,) for hidden rows (N, O), W (V, O) and b (V,): (N,).

    The vocabulary is processed in blocks. For the gradient, e^(logit − shift) is kept and used directly in its matrix
    products; the remaining factors of the softmax scale whole rows, which is done on the smaller matrix. Bias and
    shift are two additional columns of the product.
    """
    keep = torch.is_grad_enabled()
    with torch.autocast(hidden.device.type, enabled=False):
        out: Tensor = _LogLikelihood.apply(hidden.to(weight.dtype), weight, bias, gold, keep)  # type: ignore[no-untyped-call]
    return out


class _LogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor, gold: Tensor, keep: bool) -> Tensor:
        table = torch.cat([weight, bias[:, None], torch.ones_like(bias)[:, None]], dim=1)  # (V, O + 2)
        shift = _highest(hidden, table[: _words(hidden)])
        exponentials, total = _exponentials(hidden, shift, table, keep)
        if not (total < LARGE).all():  # a later logit exceeds the shift so far that precision would suffer
            shift = _highest(hidden, table)
            exponentials, total = _exponentials(hidden, shift, table, keep)
        ctx.save_for_backward(hidden, weight, gold, total, *exponentials)
        return (hidden * weight[gold]).sum(dim=1) + bias[gold] - shift - total.log()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        hidden, weight, gold, total, *exponentials = ctx.saved_tensors
        scale = -gradient / total
        scaled = torch.cat([hidden * scale[:, None], scale[:, None]], dim=1)
        to_hidden = torch.zeros_like(hidden)
        to_table = weight.new_empty(len(weight), weight.shape[1] + 1)
        parts = (torch.split(part, _words(hidden)) for part in (weight, to_table))
        for power, words, to_words in zip(exponentials, *parts, strict=True):
            to_hidden.addmm_(power, words)
            torch.mm(power.t(), scaled, out=to_words)
        to_hidden.mul_(scale[:, None]).addcmul_(weight[gold], gradient[:, None])
        to_table.index_add_(0, gold, torch.cat([hidden, torch.ones_like(scale)[:, None]], dim=1) * gradient[:, None])
        return to_hidden, to_table[:, :-1].contiguous(), to_table[:, -1].contiguous(), None, None


def _exponentials(hidden: Tensor, shift: Tensor, table: Tensor, keep: bool) -> tuple[list[Tensor], Tensor]:
    """e^(logit − shift) (N, words) of each block of the vocabulary, if they are to be kept, and their sums (N,)."""
    rows = torch.cat([hidden, torch.ones_like(shift)[:, None], -shift[:, None]], dim=1)
    exponentials, total = [], torch.zeros_like(shift)
    for words in torch.split(table, _words(hidden)):
        power = (rows @ words.t()).exp_()
        total += power.sum(dim=1)
        if keep:
            exponentials.append(power)
    return exponentials, total


def _words(hidden: Tensor) -> int:
    """The number of words in a block of the vocabulary."""
    return max(16, BLOCK // len(hidden))


def _highest(hidden: Tensor, table: Tensor) -> Tensor:
    """The highest logit of each row (N,)."""
    rows = torch.cat([hidden, hidden.new_ones(len(hidden), 1), hidden.new_zeros(len(hidden), 1)], dim=1)
    return torch.stack([(rows @ words.t()).amax(dim=1) for words in torch.split(table, _words(hidden))]).amax(dim=0)
