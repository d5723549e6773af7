"""The source encoder: a bidirectional GRU (equation 6)."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from keyseq.network.dropout import Dropout
from keyseq.network.recurrence import recurrent


class Encoder(nn.Module):
    """Contextual states of source words: h_e^t = ⟨h_fwd^t, h_bwd^t⟩ (equation 6), dropout on x_e and h_e.

    The backward GRU reads each text reversed within its length, so that padding comes last and affects no state of a
    word. Packed sequences would have the same result at four times the cost.
    """

    def __init__(self, embedding_size: int, hidden_size: int, dropout: float) -> None:
        super().__init__()
        self.forwards = nn.GRU(embedding_size, hidden_size, batch_first=True)
        self.backwards = nn.GRU(embedding_size, hidden_size, batch_first=True)
        self.dropout = Dropout(dropout)

    def forward(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States (B, S, 2H) and final states (B, 2H) of embedded words (B, S, E) of texts of `lengths` (B,)."""
        embedded = self.dropout(embedded.transpose(0, 1)).transpose(0, 1)  # time-major in memory
        order = reversal(lengths, embedded.shape[1])
        start = embedded.new_zeros(embedded.shape[0], self.forwards.hidden_size)
        forwards, _ = recurrent(self.forwards, embedded, start)
        backwards, _ = recurrent(self.backwards, mirrored(embedded, order), start)
        states = self.dropout(torch.cat([forwards, mirrored(backwards, order)], dim=-1))
        return states, final(states, lengths, self.forwards.hidden_size)


class WordEmbeddings(nn.Module):
    """The embedded words as they are, for a piece that encodes them."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = Dropout(dropout)

    def forward(self, embedded: Tensor, _: Tensor) -> tuple[Tensor, Tensor]:
        """The words (B, S, E), and the first in place of a final state."""
        states = self.dropout(embedded)
        return states, states[:, 0]


def reversal(lengths: Tensor, size: int) -> Tensor:
    """The indices (B, S) that reverse each text within its length; padding stays in place."""
    places = torch.arange(size, device=lengths.device)
    backwards = lengths[:, None] - 1 - places
    return torch.where(backwards >= 0, backwards, places)


def mirrored(states: Tensor, order: Tensor) -> Tensor:
    """Gather the rows of (B, S, H) at the indices (B, S) of a reversal."""
    if not torch.is_grad_enabled():  # an export needs standard operations
        return _rows(states, order)
    rows: Tensor = _Mirrored.apply(states, order)  # type: ignore[no-untyped-call]
    return rows


class _Mirrored(torch.autograd.Function):
    """A reversal is its own inverse, so the gradient is gathered with the same indices."""

    @staticmethod
    def forward(ctx: Any, states: Tensor, order: Tensor) -> Tensor:
        ctx.save_for_backward(order)
        return _rows(states, order)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return _rows(gradient, *ctx.saved_tensors), None


def _rows(states: Tensor, order: Tensor) -> Tensor:
    timely = states.transpose(0, 1)  # (S, B, H), contiguous
    size = order.shape[0]
    places = order.t() * size + torch.arange(size, device=order.device)
    return embedding(places, timely.reshape(-1, states.shape[-1])).transpose(0, 1)


def final(states: Tensor, lengths: Tensor, hidden_size: int) -> Tensor:
    """The last forward state and the last backward state, that of the first word: (B, 2H)."""
    rows = torch.arange(lengths.shape[0], device=lengths.device)
    last = states[rows, (lengths - 1).clamp(min=0)]
    return torch.cat([last[:, :hidden_size], states[:, 0, hidden_size:]], dim=-1)
