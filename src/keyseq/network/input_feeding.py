"""Input feeding: the decoder also reads its previous readout (in the released code, not in the paper)."""

from torch import Tensor

from keyseq.config import ModelSettings
from keyseq.network.memory import Encoded
from keyseq.network.piece import Decoded, Piece


class InputFeeding(Piece):
    """Carries the previous readout."""

    axes = ""
    feeds_back = True

    @classmethod
    def input_size(cls, settings: ModelSettings) -> int:
        """The size of a readout."""
        return settings.output_size

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """Zeros, (D, O)."""
        return hidden.new_zeros(hidden.shape[0], self.settings.output_size)

    def inputs(self, value: Tensor) -> Tensor:
        """The previous readout."""
        return value

    def after(self, value: Tensor, decoded: Decoded) -> Tensor:
        """The readout of this step."""
        return decoded.readout
