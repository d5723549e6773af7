"""The energies of additive attention (equation 9) without materialising the (B, T, S, A) tensor."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

BLOCK = 1 << 18  # elements processed at a time: a megabyte fits into the processor's cache
FARTHEST = 40.0  # of q or k: beyond it the sum is so too unless both are, with opposite signs; e^80 is a float32


def energy(queries: Tensor, keys: Tensor, weights: Tensor) -> Tensor:
    """w · tanh(q + k) for queries (D, N, A), keys (D, 1 or N, A, S) and weights (1, A): (D, N, S) (equation 9)."""
    return (weights @ torch.tanh(queries[..., None] + keys))[:, :, 0]


def blockwise_energy(
    queries: Tensor, keys: Tensor, weights: Tensor, query_lengths: Tensor, key_lengths: Tensor
) -> Tensor:
    """The same for keys (D, S, A) and weights (A,), in small blocks that are recomputed for the gradient.

    Energies of queries and keys beyond the lengths (D,) are 0.
    """
    sizes = list(zip(query_lengths.tolist(), key_lengths.tolist(), strict=True))
    queries, keys = queries.to(weights.dtype), keys.to(weights.dtype)
    with torch.autocast("cpu", enabled=False):
        energies: Tensor = _Energy.apply(queries, keys, weights, sizes)  # type: ignore[no-untyped-call]
    return energies


class _Energy(torch.autograd.Function):
    """Document by document, a few queries at a time against all keys.

    tanh(q + k) = 1 − 2r with r = 1 / (1 + e^2q · e^2k): for each pair a product and a division, no exponential. The
    1 − tanh² of the gradient is 4(r − r²).
    """

    @staticmethod
    def forward(ctx: Any, queries: Tensor, keys: Tensor, weights: Tensor, sizes: list[tuple[int, int]]) -> Tensor:
        energies = queries.new_zeros(*queries.shape[:2], keys.shape[1])
        grown_queries, grown_keys = _grown(queries), _grown(keys)
        for document, (query_count, key_count) in enumerate(sizes):
            key = grown_keys[document, :key_count]
            parts = (torch.split(part[document, :query_count], _rows(key)) for part in (grown_queries, energies))
            for query, out in zip(*parts, strict=True):
                out[:, :key_count] = _reciprocals(query, key) @ weights
            energies[document, :query_count, :key_count].mul_(-2).add_(weights.sum())
        ctx.save_for_backward(grown_queries, grown_keys, weights)
        ctx.sizes = sizes
        return energies

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        grown_queries, grown_keys, weights = ctx.saved_tensors
        to_queries, to_keys, to_weights = map(torch.zeros_like, (grown_queries, grown_keys, weights))
        for document, (query_count, key_count) in enumerate(ctx.sizes):
            key, to_key = grown_keys[document, :key_count], to_keys[document, :key_count]
            slopes = gradient[document, :query_count, :key_count]
            parts = (torch.split(part[document, :query_count], _rows(key)) for part in (grown_queries, to_queries))
            for query, to_query, slope in zip(*parts, torch.split(slopes, _rows(key)), strict=True):
                inner = _reciprocals(query, key)
                to_weights.addmv_(inner.view(-1, len(weights)).t(), slope.reshape(-1), alpha=-2)
                inner.addcmul_(inner, inner, value=-1).mul_(slope[:, :, None])
                torch.sum(inner, dim=1, out=to_query)
                to_key.add_(inner.sum(dim=0))
            to_weights += slopes.sum()
        return to_queries.mul_(4 * weights), to_keys.mul_(4 * weights), to_weights, None


def _grown(numbers: Tensor) -> Tensor:
    """e^2x."""
    return numbers.clamp(-FARTHEST, FARTHEST).mul_(2).exp_()


def _reciprocals(query: Tensor, key: Tensor) -> Tensor:
    """1 / (1 + e^2q · e^2k) for e^2q (rows, A) and e^2k (S, A): (rows, S, A)."""
    return torch.addcmul(query.new_ones(()), query[:, None], key).reciprocal_()


def _rows(key: Tensor) -> int:
    return max(1, BLOCK // max(1, key.numel()))
