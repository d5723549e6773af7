"""Input feeding: the decoder also reads its last output (the released code's; not in the paper)."""

from torch import Tensor

from keyseq.config import ModelSettings
from keyseq.network.memory import Encoded
from keyseq.network.piece import Decoded, Piece


class InputFeeding(Piece):
    """Carries the last readout."""

    axes = ""
    feeds_back = True

    @classmethod
    def input_size(cls, settings: ModelSettings) -> int:
        """A readout."""
        return settings.output_size

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """Zeros, (D, O)."""
        return hidden.new_zeros(hidden.shape[0], self.settings.output_size)

    def inputs(self, value: Tensor) -> Tensor:
        """The last readout itself."""
        return value

    def after(self, value: Tensor, decoded: Decoded) -> Tensor:
        """This step's readout."""
        return decoded.readout
