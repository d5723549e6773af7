"""The source encoder: two GRUs, one in each direction (equation 6)."""

import torch
from torch import Tensor, nn

from keyseq.network.recurrence import recurrent


class Encoder(nn.Module):
    """Source words in context: h_e^t = ⟨h_fwd^t, h_bwd^t⟩ (equation 6), dropout on x_e and h_e.

    The backward GRU reads every text reversed within its own length, so that padding always comes last and
    never reaches a state that counts. Packed sequences would do the same at four times the cost.
    """

    def __init__(self, embedding_size: int, hidden_size: int, dropout: float) -> None:
        super().__init__()
        self.forwards = nn.GRU(embedding_size, hidden_size, batch_first=True)
        self.backwards = nn.GRU(embedding_size, hidden_size, batch_first=True)
        self.dropout = nn.Dropout(dropout)

    def forward(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States (B, S, 2H) and final states (B, 2H) of embedded words (B, S, E) of texts of `lengths` (B,)."""
        embedded = self.dropout(embedded)
        order = reversal(lengths, embedded.shape[1])
        start = embedded.new_zeros(embedded.shape[0], self.forwards.hidden_size)
        forwards, _ = recurrent(self.forwards, embedded, start)
        backwards, _ = recurrent(self.backwards, reorder(embedded, order), start)
        states = self.dropout(torch.cat([forwards, reorder(backwards, order)], dim=-1))
        return states, final(states, lengths, self.forwards.hidden_size)


def reversal(lengths: Tensor, size: int) -> Tensor:
    """The places (B, S) from which to read each text backwards; padding stays where it is."""
    places = torch.arange(size, device=lengths.device)
    mirrored = lengths[:, None] - 1 - places
    return torch.where(mirrored >= 0, mirrored, places)


def reorder(states: Tensor, order: Tensor) -> Tensor:
    """Take the rows of (B, S, H) in the order (B, S)."""
    return states.gather(1, order[:, :, None].expand_as(states))


def final(states: Tensor, lengths: Tensor, hidden_size: int) -> Tensor:
    """The last forward state and the last backward one, which stands at the first word: (B, 2H)."""
    rows = torch.arange(lengths.shape[0], device=lengths.device)
    last = states[rows, (lengths - 1).clamp(min=0)]
    return torch.cat([last[:, :hidden_size], states[:, 0, hidden_size:]], dim=-1)
