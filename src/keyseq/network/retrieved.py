"""KG-KR: the readout also sees keyphrases of similar documents, read by a separate encoder (Chen et al., 2019)."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.attention import lowest
from keyseq.network.encoder import Encoder
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece, StepInput


class RetrievedPhrases(Piece):
    """k^t = Σ γ r_j over the states r of the retrieved phrases, γ = softmax(r_j · W h_d^t); 0 if there are none."""

    remembers = {"retrieved_states": "R", "retrieved_keys": "R", "is_retrieved": "R"}  # noqa: RUF012  # as in the base

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.encoder = Encoder(settings.embedding_size, settings.encoder_size, settings.dropout)
        self.match = nn.Linear(settings.memory_size, settings.hidden_size, bias=False)

    @classmethod
    def readout_size(cls, settings: ModelSettings) -> int:
        """The size of k."""
        return settings.memory_size

    def encode(self, encoded: Encoded, inputs: Mapping[str, Tensor], embedding: nn.Embedding) -> Encoded:
        """Keep r (D, R, 2He), r W (D, R, H) and the mask (D, R) of its words for the decoder."""
        words, lengths = inputs["retrieved"], inputs["retrieved_lengths"]
        states, _ = self.encoder(embedding(words.t()).transpose(0, 1), lengths)
        inside = torch.arange(words.shape[1], device=words.device) < lengths[:, None]
        kept = {"retrieved_states": states, "retrieved_keys": self.match(states), "is_retrieved": inside}
        return replace(encoded, extra={**encoded.extra, **kept})

    def features(self, value: Tensor | None, states: Tensor, reading: StepInput) -> Tensor:  # no value
        """k^t, (D, N, 2He)."""
        kept = reading.memory.extra
        inside = kept["is_retrieved"][:, None]
        energies = states @ kept["retrieved_keys"].transpose(1, 2)
        attention = energies.masked_fill(~inside, lowest(energies)).softmax(dim=-1)
        seen: Tensor = attention * inside @ kept["retrieved_states"]
        return seen
