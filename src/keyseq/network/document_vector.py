"""The document vector of DivGraphPointer: each phrase starts from the text and from what was generated of it."""

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.data.vocabulary import BOS, SEP
from keyseq.network.generated_counts import generated_now
from keyseq.network.memory import Encoded
from keyseq.network.piece import Piece, StepInput


class DocumentVector(Piece):
    """With the document vector c and the mean ȳ of the source words generated so far (0 before the first):

    after `<sep>`, the decoder starts from tanh(W_h ⟨c, ȳ⟩ + b_h), and at the beginning of every phrase its input also
    has W_x ⟨c, ȳ⟩. Carries c, the sum of the words' states, their number, and whether a phrase begins.
    """

    axes = ""
    feeds_back = True  # the GRU cannot run over a whole target
    new_weights = "refused"

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__(settings)
        self.state = nn.Linear(2 * settings.memory_size, settings.hidden_size)
        self.input = nn.Linear(2 * settings.memory_size, settings.embedding_size, bias=False)

    @classmethod
    def input_size(cls, settings: ModelSettings) -> int:
        """The size of an embedding."""
        return settings.embedding_size

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """c and nothing generated, (D, 4He + 2)."""
        return torch.cat([encoded.final, torch.zeros_like(encoded.final), torch.zeros_like(hidden[:, :2])], dim=-1)

    def read(self, value: Tensor, reading: StepInput) -> Tensor:
        """With the words read added, one per hypothesis."""
        document, total, count, _ = self._split(value)
        found = generated_now(reading).to(value.dtype)
        share = found / found.sum(dim=-1, keepdim=True).clamp(min=1)  # a word may occur several times
        begins = ((reading.words == BOS) | (reading.words == SEP)).to(value.dtype)
        generated = [total + share @ reading.memory.states, count + share.sum(dim=-1, keepdim=True)]
        return torch.cat([document, *generated, begins[:, :, None]], dim=-1)

    def resume(self, value: Tensor, hidden: Tensor, reading: StepInput) -> Tensor:
        """The state that a further phrase starts from."""
        started = torch.tanh(self.state(self._seen(value)))
        return torch.where((reading.words == SEP)[:, :, None], started, hidden)

    def inputs(self, value: Tensor) -> Tensor:
        """W_x ⟨c, ȳ⟩ at the beginning of a phrase, 0 within it."""
        return self.input(self._seen(value)) * self._split(value)[3]  # type: ignore[no-any-return]

    def _seen(self, value: Tensor) -> Tensor:
        document, total, count, _ = self._split(value)
        return torch.cat([document, total / count.clamp(min=1)], dim=-1)

    def _split(self, value: Tensor) -> list[Tensor]:
        size = self.settings.memory_size
        return list(torch.split_with_sizes(value, [size, size, 1, 1], dim=-1))
