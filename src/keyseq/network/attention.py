"""Additive attention over the source (equations 9 and 10)."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from keyseq.network.energy import blockwise_energy, energy
from keyseq.network.memory import Encoded, Memory
from keyseq.network.products import Projection


class Attention(nn.Module):
    """Attention weights over the source: α^t = softmax(L₁(L₂^tanh(⟨h_d^t, h_e⟩))) (equations 9 and 10).

    L₂ of a concatenation is the sum of two layers, so that the one for h_e is computed once per document. L₁ has no
    bias, since the softmax is invariant to it.
    """

    def __init__(self, state_size: int, memory_size: int, attention_size: int) -> None:
        super().__init__()
        self.query = Projection(state_size, attention_size)
        self.key = Projection(memory_size, attention_size, bias=False)
        self.squash = nn.Linear(attention_size, 1, bias=False)

    def memory(self, encoded: Encoded, words: Tensor) -> Memory:
        """The memory of sources that it attends to; `words` are their extended ids (D, S)."""
        mask = torch.arange(words.shape[1], device=words.device) < encoded.lengths[:, None]
        return Memory(encoded.states, self.key(encoded.states).transpose(1, 2), mask, words, encoded.extra)

    def forward(
        self,
        states: Tensor,
        memory: Memory,
        keys: Iterable[Tensor] = (),
        energies: Iterable[Tensor] = (),
        lengths: tuple[Tensor, Tensor] | None = None,
    ) -> Tensor:
        """log α (D, N, S) of decoder states (D, N, H).

        Pieces may add `keys` (D, N, A, S), inside the tanh, and `energies` (D, N, S). Positions of targets and sources
        beyond `lengths` (D,) are padding.
        """
        added = list(keys)
        queries, weights = self.query(states), self.squash.weight
        if lengths is not None and not added and states.device.type == "cpu":
            found = blockwise_energy(queries, memory.keys.transpose(1, 2), weights[0], *lengths)
        else:
            found = energy(queries, sum(added, start=memory.keys[:, None]), weights)
        found = sum(energies, start=found)
        return found.masked_fill(~memory.mask[:, None], lowest(found)).log_softmax(dim=-1)


def lowest(like: Tensor) -> float:
    """A finite stand-in for log 0, so that sums and gradients at masked positions are not NaN."""
    return torch.finfo(like.dtype).min / 4
