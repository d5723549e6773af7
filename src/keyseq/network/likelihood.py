"""The log-probability of gold words under a softmax over a large vocabulary (outer part of equation 11)."""

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from keyseq.network.products import product

BLOCK = 1 << 20  # logits computed at a time: two to four megabytes fit into the processor's cache
LARGE = 1e15
POWER = 1 / math.log(2)  # e^x = 2^(x · POWER), and PyTorch computes powers of 2 faster


def log_likelihood(
    hidden: Tensor, weight: Tensor, bias: Tensor, gold: Tensor, precision: torch.dtype | None = None
) -> Tensor:
    """log softmax(W h + b) at `gold` (N,) for hidden rows (N, O), W (V, O) and b (V,): (N,).

    The vocabulary is processed in blocks. For the gradient, e^(logit − shift) is kept and used directly in its matrix
    products; the remaining factors of the softmax scale whole rows, which is done on the smaller matrix. Bias and
    shift are two additional columns of the product. The products over the vocabulary may have a lower `precision`;
    the gold words' logits and all sums keep that of the weights.
    """
    keep = torch.is_grad_enabled()
    with torch.autocast(hidden.device.type, enabled=False):
        rows = hidden.to(weight.dtype)
        found: Tensor = _LogLikelihood.apply(rows, weight, bias, gold, precision or weight.dtype, keep)  # type: ignore[no-untyped-call]
    return found


class _LogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor, gold: Tensor, precision: torch.dtype, keep: bool
    ) -> Tensor:
        shift = _shift(hidden, islice(_blocks(hidden, weight, bias), 1), precision)
        exponentials, total = _exponentials(hidden, shift, weight, bias, keep)
        if not (total < LARGE).all():  # a later logit exceeds the shift so far that precision would suffer
            shift = _shift(hidden, _blocks(hidden, weight, bias), precision)
            exponentials, total = _exponentials(hidden, shift, weight, bias, keep)
        ctx.save_for_backward(hidden, weight, gold, total, *exponentials)
        return (hidden * weight[gold]).sum(dim=1) + bias[gold] - shift.to(weight.dtype) / POWER - total.log()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        hidden, weight, gold, total, *exponentials = ctx.saved_tensors
        scale = -gradient / total
        scaled = torch.cat([hidden * scale[:, None], scale[:, None]], dim=1).t().contiguous().to(exponentials[0].dtype)
        to_hidden, to_weight, to_bias = (
            torch.zeros_like(hidden.t()),
            torch.empty_like(weight),
            weight.new_empty(len(weight)),
        )
        blocks = _blocks(hidden, weight, to_weight, to_bias)
        for power, (words, to_words, to_biases) in zip(exponentials, blocks, strict=True):
            to_hidden.add_(product(words.to(power.dtype).t(), power.t()).to(hidden.dtype))
            of_table = product(power, scaled)
            to_words.copy_(of_table[:, :-1])
            to_biases.copy_(of_table[:, -1])
        to_hidden = torch.addcmul(to_hidden.t() * scale[:, None], weight[gold], gradient[:, None])
        to_weight.index_add_(0, gold, hidden * gradient[:, None])
        to_bias.index_add_(0, gold, gradient)
        return to_hidden, to_weight, to_bias, None, None, None


def _exponentials(
    hidden: Tensor, shift: Tensor, weight: Tensor, bias: Tensor, keep: bool
) -> tuple[list[Tensor], Tensor]:
    """e^(logit − shift) (words, N) of each block of the vocabulary, if they are to be kept, and their sums (N,)."""
    rows = torch.cat([hidden * POWER, hidden.new_full((len(hidden), 1), POWER)], dim=1)
    rows = torch.cat([rows.to(shift.dtype), -shift[:, None]], dim=1)
    exponentials, total = [], torch.zeros_like(shift, dtype=hidden.dtype)
    for words, biases in _blocks(hidden, weight, bias):
        columns = [words, biases[:, None], torch.ones_like(biases)[:, None]]
        power = product(torch.cat(columns, dim=1).to(shift.dtype), rows).exp2_()
        total += power.sum(dim=0).to(hidden.dtype)
        if keep:
            exponentials.append(power)
    return exponentials, total


def _blocks(hidden: Tensor, *tables: Tensor) -> Iterator[tuple[Tensor, ...]]:
    """Tables (V, …) in blocks of the vocabulary."""
    return zip(*(torch.split(table, _words(hidden)) for table in tables), strict=True)


def _words(hidden: Tensor) -> int:
    """The number of words in a block of the vocabulary."""
    return max(16, BLOCK // len(hidden))


def _shift(hidden: Tensor, blocks: Iterable[tuple[Tensor, ...]], precision: torch.dtype) -> Tensor:
    """The highest logit of each row (N,) over blocks of weights and biases, times log₂ e."""
    highest = [product(words, hidden).add_(biases[:, None]).amax(dim=0) for words, biases in blocks]
    return (torch.stack(highest).amax(dim=0) * POWER).to(precision)
