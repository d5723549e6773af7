"""The energies of additive attention (equation 9) without materialising the (B, T, S, A) tensor."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

BLOCK = 1 << 17  # elements processed at a time: half a megabyte fits into the processor's cache


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
    """Document by document, a few queries at a time against all keys."""

    @staticmethod
    def forward(ctx: Any, queries: Tensor, keys: Tensor, weights: Tensor, sizes: list[tuple[int, int]]) -> Tensor:
        energies = queries.new_zeros(*queries.shape[:2], keys.shape[1])
        for document, (query_count, key_count) in enumerate(sizes):
            key = keys[document, :key_count]
            parts = (torch.split(part[document, :query_count], _rows(key)) for part in (queries, energies))
            for query, out in zip(*parts, strict=True):
                inner = (query[:, None] + key).tanh_()  # (rows, S, A)
                out[:, :key_count] = inner @ weights
        ctx.save_for_backward(queries, keys, weights)
        ctx.sizes = sizes
        return energies

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        queries, keys, weights = ctx.saved_tensors
        to_queries, to_keys, to_weights = map(torch.zeros_like, (queries, keys, weights))
        for document, (query_count, key_count) in enumerate(ctx.sizes):
            key, to_key = keys[document, :key_count], to_keys[document, :key_count]
            parts = (torch.split(part[document, :query_count], _rows(key)) for part in (queries, to_queries, gradient))
            for query, to_query, slope in zip(*parts, strict=True):
                slope = slope[:, :key_count]  # noqa: PLW2901
                inner = (query[:, None] + key).tanh_()
                to_weights.addmv_(inner.view(-1, len(weights)).t(), slope.reshape(-1))
                inner.square_().mul_(slope[:, :, None])  # the 1 of 1 − tanh² is added below
                to_query.sub_(inner.sum(dim=1))
                to_key.sub_(inner.sum(dim=0))
        to_queries += gradient.sum(dim=2, keepdim=True)
        to_keys += gradient.sum(dim=1)[:, :, None]
        return to_queries.mul_(weights), to_keys.mul_(weights), to_weights, None


def _rows(key: Tensor) -> int:
    return max(1, BLOCK // max(1, key.numel()))
