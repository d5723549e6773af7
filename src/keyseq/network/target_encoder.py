"""Semantic coverage: a GRU over the words said so far, taught by contrast (equations 1 and 2)."""

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.recurrence import recurrent


class TargetEncoder(nn.Module):
    """GRU_SC, whose state h_SC^t tells the decoder what has been said (equation 1).

    Its final state learns to tell the document's source from others by g(h_e, h_SC) = exp(h_eᵀ B h_SC) (equation 2).
    The decoder gets its states detached and the contrast gets the source's detached: each learns from its own loss.
    """

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        self.from_source = settings.target_encoder_start == "source"
        source_size = settings.hidden_size if self.from_source else 2 * settings.encoder_size
        size = settings.target_encoder_size
        self.gru = nn.GRU(settings.embedding_size, size, batch_first=True)
        self.bilinear = nn.Linear(size, source_size, bias=False)  # a bias would add the same to every score

    def start(self, final: Tensor, bridged: Tensor) -> Tensor:
        """The first state (B, Ht): zeros, or as released the source's state after the bridge, (B, H)."""
        return bridged if self.from_source else final.new_zeros(final.shape[0], self.gru.hidden_size)

    def forward(self, embedded: Tensor, start: Tensor) -> tuple[Tensor, Tensor]:
        """States (B, T, Ht) of embedded target words (B, T, E), and the last (B, Ht)."""
        return recurrent(self.gru, embedded, start)

    def scores(self, states: Tensor, lengths: Tensor, final: Tensor, bridged: Tensor) -> Tensor:
        """log g of every target's final state h_SC^M with every source of the batch: (B targets, B sources)."""
        ends = states[torch.arange(len(lengths), device=lengths.device), lengths - 1]
        sources = (bridged if self.from_source else final).detach()
        scores: Tensor = self.bilinear(ends) @ sources.T
        return scores
