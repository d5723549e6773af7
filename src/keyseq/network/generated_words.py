"""Which source words were already generated, as an input of the attention (not in the paper)."""

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece, StepInput


class GeneratedWords(Piece):
    """Carries 1 for source words that were generated, 0 for the others.

    A linear layer of h_d is added to the energies of the former; it learns to avoid them at the beginning of a phrase.
    """

    axes = "S"
    new_weights = "zeros"

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.gate = nn.Linear(settings.hidden_size, 1)

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """Zeros, (D, S)."""
        return hidden.new_zeros(encoded.states.shape[:2])

    def read(self, value: Tensor, reading: StepInput) -> Tensor:
        """Mark the words read; in a sequence, those up to each position."""
        found = (reading.words[:, :, None] == reading.memory.words[:, None]).to(value.dtype)
        return torch.maximum(value, found.cummax(dim=1).values if reading.in_sequence else found)

    def energies(self, value: Tensor, states: Tensor) -> Tensor:
        """The output of the layer at generated words, 0 elsewhere."""
        return self.gate(states) * value  # type: ignore[no-any-return]
