"""Coverage: the sum of past attention is an input of the attention (in the released code, not in the paper)."""

from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.memory import Encoded
from keyseq.network.piece import Decoded, Piece


class Coverage(Piece):
    """Carries Σ α of the previous steps; a linear layer of it is added to the attention keys."""

    axes = "S"
    feeds_back = True
    new_weights = "zeros"

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.energy = nn.Linear(1, settings.attention_size, bias=False)

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """Zeros, (D, S)."""
        return hidden.new_zeros(encoded.states.shape[:2])

    def keys(self, value: Tensor) -> Tensor:
        """The linear layer of the coverage."""
        return self.energy.weight * value[:, :, None]

    def after(self, value: Tensor, decoded: Decoded) -> Tensor:
        """The coverage plus the attention of this step."""
        return value + decoded.log_attention.exp()
