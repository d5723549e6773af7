"""Additive attention over the source (equations 9 and 10)."""

from dataclasses import dataclass, fields

import torch
from torch import Tensor, nn

from keyseq.network.energy import blockwise_energy, energy


@dataclass(frozen=True, slots=True)
class Memory:
    """What the decoder knows of the source; computed once a document."""

    states: Tensor  # (B, S, 2He), h_e
    keys: Tensor  # (B, S, A), the half of L₂ that sees h_e
    lengths: Tensor  # (B,)
    mask: Tensor  # (B, S), true at words, false at padding
    final: Tensor  # (B, 2He), h_e^N
    words: Tensor  # (B, S), extended ids

    def select(self, rows: Tensor) -> "Memory":
        """What is known of some of the sources, in the order of `rows`."""
        return Memory(*(getattr(self, field.name)[rows] for field in fields(self)))


class Attention(nn.Module):
    """The importance of each source word: α^t = softmax(L₁(L₂^tanh(⟨h_d^t, h_e⟩))) (equations 9 and 10).

    L₂ of a concatenation is the sum of two layers, so that the half for h_e is computed once a document. L₁ has no
    bias: the softmax takes no notice of it. Not in the paper: words that were said may weigh less, or more, by as much
    as a layer over h_d says; at the beginning of a phrase it learns to leave them alone.
    """

    def __init__(
        self, state_size: int, memory_size: int, attention_size: int, coverage: bool = False, said: bool = False
    ) -> None:
        super().__init__()
        self.query = nn.Linear(state_size, attention_size)
        self.key = nn.Linear(memory_size, attention_size, bias=False)
        self.squash = nn.Linear(attention_size, 1, bias=False)
        self.covered = nn.Linear(1, attention_size, bias=False) if coverage else None
        self.said = nn.Linear(state_size, 1) if said else None

    def forward(
        self,
        states: Tensor,
        memory: Memory,
        covered: Tensor | None = None,
        said: Tensor | None = None,
        lengths: Tensor | None = None,
    ) -> Tensor:
        """log α (B, T, S) of decoder states (B, T, H).

        `covered` (B, S) is the attention of earlier steps, `said` (B, T, S) is 1 at words that were said; states beyond
        `lengths` (B,) are padding.
        """
        queries, keys, weights = self.query(states), memory.keys, self.squash.weight[0]
        if self.covered is not None and covered is not None:
            keys = keys + self.covered(covered[:, :, None])
        if lengths is not None and states.device.type == "cpu":
            energies = blockwise_energy(queries, keys, weights, lengths, memory.lengths)
        else:
            energies = energy(queries, keys, weights)
        if self.said is not None and said is not None:
            energies = energies + self.said(states) * said
        return energies.masked_fill(~memory.mask[:, None, :], lowest(energies)).log_softmax(dim=-1)


def lowest(like: Tensor) -> float:
    """The logarithm of next to nothing: finite, so that sums and gradients of masked places stay numbers."""
    return torch.finfo(like.dtype).min / 4
