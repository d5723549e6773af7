"""Restarts: every phrase of a sequence begins with the initial state of the decoder (as an option of CorrRNN)."""

import torch
from torch import Tensor

from keyseq.data.vocabulary import SEP
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece, StepInput


class Restart(Piece):
    """Carries the initial state, which replaces the current one when `<sep>` is read; `<sep>` is then read as `<s>`."""

    axes = ""
    feeds_back = True  # the GRU cannot run over a whole target
    reads_separator_as_start = True
    new_weights = "refused"

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """The initial state, (D, H)."""
        return hidden

    def resume(self, value: Tensor, hidden: Tensor, reading: StepInput) -> Tensor:
        """The initial state at the beginning of a phrase."""
        return torch.where((reading.words == SEP)[:, :, None], value, hidden)
