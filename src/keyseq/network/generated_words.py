"""Which of the source's words were already generated: the attention sees it. Not in the paper."""

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece, StepInput


class GeneratedWords(Piece):
    """Carries 1 for words of the source that were generated, 0 for the others.

    Their energies rise or fall by as much as a layer over h_d says; at the beginning of a phrase it learns to leave
    them alone.
    """

    axes = "S"
    new_weights = "zeros"

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.gate = nn.Linear(settings.hidden_size, 1)

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """Nothing was generated, (D, S)."""
        return hidden.new_zeros(encoded.states.shape[:2])

    def read(self, value: Tensor, reading: StepInput) -> Tensor:
        """With the words that were read, those of a sequence up to each of them."""
        found = (reading.words[:, :, None] == reading.memory.words[:, None]).to(value.dtype)
        return torch.maximum(value, found.cummax(dim=1).values if reading.in_sequence else found)

    def energies(self, value: Tensor, states: Tensor) -> Tensor:
        """The layer's number at each generated word."""
        return self.gate(states) * value  # type: ignore[no-any-return]
