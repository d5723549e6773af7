"""Semantic coverage: a GRU over the words generated so far, trained by contrast (equations 1 and 2)."""

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece, StepInput


class TargetEncoder(Piece):
    """GRU_SC, whose state h_SC^t tells the decoder what has been generated (equation 1).

    Its final state learns to tell the document's source from others by g(h_e, h_SC) = exp(h_eᵀ B h_SC) (equation 2).
    The decoder gets its states detached and the contrast gets the source's detached: each learns from its own loss.
    """

    axes = ""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.from_source = settings.target_encoder_start == "source"
        source_size = settings.hidden_size if self.from_source else settings.memory_size
        size = settings.target_encoder_size
        self.gru = nn.GRU(settings.embedding_size, size, batch_first=True)
        self.bilinear = nn.Linear(size, source_size, bias=False)  # a bias would add the same to every score

    @classmethod
    def input_size(cls, settings: ModelSettings) -> int:
        """A state of its GRU."""
        return settings.target_encoder_size

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """The first state (D, Ht): zeros, or as released the source's state after the bridge, (D, H)."""
        return hidden if self.from_source else hidden.new_zeros(hidden.shape[0], self.gru.hidden_size)

    def read(self, value: Tensor, reading: StepInput) -> Tensor:
        """h_SC after the words."""
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
