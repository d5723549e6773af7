"""Coverage: the attention sees the attention so far (the released code's; not in the paper)."""

from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.memory import Encoded
from keyseq.network.piece import Decoded, Piece


class Coverage(Piece):
    """Carries Σ α of the steps before, which a layer adds to the keys of the source's words."""

    axes = "S"
    feeds_back = True
    new_weights = "zeros"

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.energy = nn.Linear(1, settings.attention_size, bias=False)

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """Nothing was attended to, (D, S)."""
        return hidden.new_zeros(encoded.states.shape[:2])

    def keys(self, value: Tensor) -> Tensor:
        """The layer's share of the keys."""
        return self.energy.weight * value[:, :, None]

    def after(self, value: Tensor, decoded: Decoded) -> Tensor:
        """With the attention of this step."""
        return value + decoded.log_attention.exp()
