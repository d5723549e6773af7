"""The log-probability of gold words under a softmax over a large vocabulary (outer part of equation 11)."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

WORDS = 384  # of the vocabulary worked on at a time: so many logits of a batch stay in the processor's cache
LARGE = 1e15


def log_likelihood(hidden: Tensor, weight: Tensor, bias: Tensor, gold: Tensor) -> Tensor:
    """log softmax(W h + b) at `gold` (N,) for hidden rows (N, O), W (V, O) and b (V,): (N,).

    The vocabulary is worked through a few words at a time. What is kept for the gradient is e^(logit − shift), which
    the gradient's matrix products take as it is: the rest of the softmax scales rows, and rows are scaled where
    they are short.
    """
    out: Tensor = _LogLikelihood.apply(hidden, weight, bias, gold, torch.is_grad_enabled())  # type: ignore[no-untyped-call]
    return out


class _LogLikelihood(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor, gold: Tensor, keep: bool) -> Tensor:  # noqa: ANN401
        shift = (hidden @ weight[:WORDS].t() + bias[:WORDS]).amax(dim=1)
        exponentials, total = _exponentials(hidden, weight, bias, shift, keep)
        if not (total < LARGE).all():  # a later word lies so far above the first ones that precision would suffer
            shift = _highest(hidden, weight, bias)
            exponentials, total = _exponentials(hidden, weight, bias, shift, keep)
        ctx.save_for_backward(hidden, weight, gold, total, *exponentials)
        return (hidden * weight[gold]).sum(dim=1) + bias[gold] - shift - total.log()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        hidden, weight, gold, total, *exponentials = ctx.saved_tensors
        scale = -gradient / total
        scaled = hidden * scale[:, None]
        to_hidden, to_weight, to_bias = (
            torch.zeros_like(hidden),
            torch.empty_like(weight),
            weight.new_empty(len(weight)),
        )
        parts = (torch.split(part, WORDS) for part in (weight, to_weight, to_bias))
        for power, words, to_words, to_biases in zip(exponentials, *parts, strict=True):
            to_hidden.addmm_(power, words)
            torch.mm(power.t(), scaled, out=to_words)
            torch.mv(power.t(), scale, out=to_biases)
        to_hidden.mul_(scale[:, None]).addcmul_(weight[gold], gradient[:, None])
        to_weight.index_add_(0, gold, hidden * gradient[:, None])
        to_bias.index_add_(0, gold, gradient)
        return to_hidden, to_weight, to_bias, None, None


def _exponentials(
    hidden: Tensor, weight: Tensor, bias: Tensor, shift: Tensor, keep: bool
) -> tuple[list[Tensor], Tensor]:
    """e^(logit − shift) (N, WORDS) of each part of the vocabulary if they are kept, and their sums over all (N,)."""
    exponentials, total = [], torch.zeros_like(shift)
    for words, biases in zip(torch.split(weight, WORDS), torch.split(bias, WORDS), strict=True):
        power = (biases - shift[:, None]).addmm_(hidden, words.t()).exp_()
        total += power.sum(dim=1)
        if keep:
            exponentials.append(power)
    return exponentials, total


def _highest(hidden: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    parts = zip(torch.split(weight, WORDS), torch.split(bias, WORDS), strict=True)
    return torch.stack([torch.addmm(biases, hidden, words.t()).amax(dim=1) for words, biases in parts]).amax(dim=0)
