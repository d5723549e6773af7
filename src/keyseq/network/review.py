"""Review attention of CorrRNN: the readout also sees the earlier states of the decoder (Chen et al., 2018)."""

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.attention import lowest
from keyseq.network.energy import energy
from keyseq.network.memory import Encoded
from keyseq.network.piece import Decoded, Piece, StepInput


class Review(Piece):
    """ρ^t = Σ β h_d^j over all states before the current one, β = softmax(v · tanh(W_q h_d^t + W_r h_d^j)).

    Carries those states, the initial one first, each beside its key W_r h_d^j.
    """

    axes = "T"

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.query = nn.Linear(settings.hidden_size, settings.attention_size)
        self.key = nn.Linear(settings.hidden_size, settings.attention_size, bias=False)
        self.squash = nn.Linear(settings.attention_size, 1, bias=False)

    @classmethod
    def readout_size(cls, settings: ModelSettings) -> int:
        """The size of ρ."""
        return settings.hidden_size

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """The initial state alone, (D, 1, H + A)."""
        return self._kept(hidden)[:, None]

    def features(self, value: Tensor | None, states: Tensor, reading: StepInput) -> Tensor | None:
        """ρ^t, (D, N, H)."""
        if value is None:  # it is always carried
            return None
        bank = self._before(value, states) if reading.in_sequence else value
        past, keys = torch.split_with_sizes(bank, [self.settings.hidden_size, self.settings.attention_size], dim=-1)
        energies = energy(self.query(states), keys.transpose(2, 3), self.squash.weight)  # (D, N, T)
        if reading.in_sequence:
            later = torch.ones_like(energies[0], dtype=torch.bool).triu(diagonal=value.shape[2])
            energies = energies.masked_fill(later, lowest(energies))
        return (energies.softmax(dim=-1)[:, :, None] @ past)[:, :, 0]

    def after(self, value: Tensor, decoded: Decoded) -> Tensor:
        """The states with the current one; as they are where a whole target was read, since no step follows."""
        if value.shape[1] != decoded.dropped.shape[1]:
            return value
        return torch.cat([value, self._kept(decoded.dropped)[:, :, None]], dim=2)

    def _before(self, value: Tensor, states: Tensor) -> Tensor:
        """The states (D, 1, T + N − 1, H + A) before and within a sequence, of which the last is before no other."""
        return torch.cat([value[:, 0], self._kept(states[:, :-1])], dim=1)[:, None]

    def _kept(self, states: Tensor) -> Tensor:
        return torch.cat([states, self.key(states)], dim=-1)
