"""Semantic coverage: a GRU over the words generated so far, trained by a contrastive loss (equations 1 and 2)."""

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece, StepInput


class TargetEncoder(Piece):
    """GRU_SC, whose state h_SC^t represents what has been generated, as an input of the decoder (equation 1).

    Its final state is trained to identify the source among others by g(h_e, h_SC) = exp(h_eᵀ B h_SC) (equation 2).
    Its states are detached for the decoder, and the encoder states are detached for the contrastive loss.
    """

    axes = ""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.from_source = settings.target_encoder_start == "source"
        source_size = settings.hidden_size if self.from_source else settings.memory_size
        size = settings.target_encoder_size
        self.gru = nn.GRU(settings.embedding_size, size, batch_first=True)
        self.bilinear = nn.Linear(size, source_size, bias=False)  # a bias would be the same for every score

    @classmethod
    def input_size(cls, settings: ModelSettings) -> int:
        """The size of its state."""
        return settings.target_encoder_size

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """The initial state (D, Ht): zeros, or as released the source state after the bridge, (D, H)."""
        return hidden if self.from_source else hidden.new_zeros(hidden.shape[0], self.gru.hidden_size)

    def read(self, value: Tensor, reading: StepInput) -> Tensor:
        """h_SC after reading the words."""
        return reading.advance(self.gru, reading.embedded, value)

    def inputs(self, value: Tensor) -> Tensor:
        """h_SC, detached."""
        return value.detach()

    def scores(self, states: Tensor, lengths: Tensor, encoded: Encoded, hidden: Tensor) -> Tensor:
        """log g of every target's final state h_SC^M with every source of the batch: (B targets, B sources)."""
        ends = states[torch.arange(len(lengths), device=lengths.device), lengths - 1]
        sources = (hidden if self.from_source else encoded.final).detach()
        scores: Tensor = self.bilinear(ends) @ sources.T
        return scores
