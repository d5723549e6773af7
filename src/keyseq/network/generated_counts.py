"""How often each source word was generated, as an input of the attention (lexical coverage of DivGraphPointer)."""

from torch import Tensor

from keyseq.data.vocabulary import EOS, SEP
from keyseq.network.coverage import Coverage
from keyseq.network.piece import Decoded, StepInput


class GeneratedCounts(Coverage):
    """Coverage by words: carries the counts in place of past attention."""

    feeds_back = False

    def read(self, value: Tensor, reading: StepInput) -> Tensor:
        """Count the words read; in a sequence, those up to each position."""
        found = generated_now(reading).to(value.dtype)
        return value + (found.cumsum(dim=1) if reading.in_sequence else found)

    def after(self, value: Tensor, decoded: Decoded) -> Tensor:
        """The counts: attention adds nothing to them."""
        return value


def generated_now(reading: StepInput) -> Tensor:
    """The mask (D, N, S) of source words that are read; `<sep>` and `</s>`, which a source may contain, are none."""
    words = reading.words[:, :, None]
    return (words == reading.memory.words[:, None]) & (words != SEP) & (words != EOS)
