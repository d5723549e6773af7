"""The title-guided encoder of TG-Net: every source word also sees the title (Chen et al., 2019)."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.attention import lowest
from keyseq.network.dropout import Dropout
from keyseq.network.encoder import Encoder
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece


class TitleGuide(Piece):
    """h_e = λ u + (1 − λ) m, with m = GRUs(⟨u, g⟩) and g = Σ softmax(u · W v) v of the title's states v.

    u are the states of the plain encoder. The decoder starts from the final states of m alone. A text without any word
    of a title has g = 0.
    """

    new_weights = "refused"

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        size = settings.memory_size
        self.title = Encoder(settings.embedding_size, settings.encoder_size, settings.dropout)
        self.match = nn.Linear(size, size, bias=False)
        self.merge = Encoder(2 * size, settings.encoder_size, 0.0)  # what it reads was dropped out already
        self.dropout = Dropout(settings.dropout)

    def encode(self, encoded: Encoded, inputs: Mapping[str, Tensor], embedding: nn.Embedding) -> Encoded:
        """The merged states."""
        words, lengths = inputs["title"], inputs["title_lengths"]
        states, _ = self.title(embedding(words.t()).transpose(0, 1), lengths)
        guided = torch.cat([encoded.states, self._seen(encoded.states, states, lengths)], dim=-1)
        merged, final = self.merge(guided, encoded.lengths)
        share = self.settings.title_weight
        return replace(encoded, states=share * encoded.states + (1 - share) * self.dropout(merged), final=final)

    def _seen(self, source: Tensor, title: Tensor, lengths: Tensor) -> Tensor:
        """What each source word (D, S, 2He) sees of the title (D, L, 2He)."""
        energies = source @ self.match(title).transpose(1, 2)
        inside = torch.arange(title.shape[1], device=lengths.device) < lengths[:, None]
        attention = energies.masked_fill(~inside[:, None], lowest(energies)).softmax(dim=-1)
        seen: Tensor = attention * inside[:, None] @ title
        return seen
