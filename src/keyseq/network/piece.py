"""Optional components of the network: each piece declares in one class what it reads, carries and adds to a step.

Training, search, tracing, storage and the model card are derived from that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.data.batching import Batch
from keyseq.network.memory import Encoded, Memory
from keyseq.network.recurrence import gru_step, recurrent


@dataclass(frozen=True, slots=True)
class StepInput:
    """The words that a step reads, one for each of the N hypotheses of D documents.

    In teacher forcing (`in_sequence`), the N words are those of one target, in order.
    """

    words: Tensor  # (D, N), extended ids
    embedded: Tensor  # (D, N, E)
    memory: Memory
    in_sequence: bool = False

    def advance(self, gru: nn.GRU, inputs: Tensor, before: Tensor) -> Tensor:
        """The states (D, N, H) of a GRU after inputs (D, N, X).

        `before` (D, N, H) are the previous states; for a sequence, (D, 1, H), the state before its first word.
        """
        return recurrent(gru, inputs, before[:, 0])[0] if self.in_sequence else gru_step(gru, inputs, before)

    def split(self) -> list["StepInput"]:
        """One input per position of the sequences."""
        pairs = zip(torch.split(self.words, 1, dim=1), torch.split(self.embedded, 1, dim=1), strict=True)
        return [StepInput(words, embedded, self.memory, self.in_sequence) for words, embedded in pairs]


@dataclass(frozen=True, slots=True)
class Decoded:
    """The outputs of a step for each word read, (D, N, …)."""

    states: Tensor  # (D, N, H), h_d before dropout
    dropped: Tensor  # (D, N, H), h_d after dropout, the input of all below
    context: Tensor  # (D, N, 2He), Σ α h_e
    log_attention: Tensor  # (D, N, S), log α
    readout: Tensor  # (D, N, O), input of the output layer
    log_copying: Tensor  # (D, N, S), the log of α as the pointer copies by it

    def of(self, document: int) -> "Decoded":
        """The outputs for one document."""
        return Decoded(*(getattr(self, one.name)[document : document + 1] for one in fields(self)))


def teacher_forcing(batch: Batch, embedded: Tensor, memory: Memory) -> StepInput:
    """The targets of a batch as they are read in training; `embedded` are their words (B, T, E)."""
    words = torch.cat([batch.target_input[:, :1], batch.target_output[:, :-1]], dim=1)
    return StepInput(words, embedded, memory, in_sequence=True)


class Piece(nn.Module):
    """An optional component of the encoder, the decoder, or both; this base class adds nothing.

    A piece that carries a value from word to word sets `axes` and defines `start`, and `read` or `after`. Values are
    (D, N, …), where N are the hypotheses of a search or the words of a target.
    """

    axes: ClassVar[str | None] = None
    """The variable dimensions of the carried value besides (D, N): "S" for the source length, "T" for the number of
    words generated so far, "" for none; None if nothing is carried."""

    feeds_back: ClassVar[bool] = False
    """Whether the value depends on the output of the previous step, so that training runs word by word."""

    reads_separator_as_start: ClassVar[bool] = False
    """Whether the decoder reads `<sep>` as `<s>`."""

    reads_embeddings: ClassVar[bool] = False
    """Whether `encode` gets the embeddings (D, S, E) of source words as its states, and there are no GRUs over them."""

    remembers: ClassVar[Mapping[str, str]] = {}
    """What `encode` adds to the memory: by name, the variable dimensions besides D."""

    new_weights: ClassVar[Literal["zeros", "random", "refused"]] = "random"
    """Initial weights when it is added to a trained network, whose outputs must not change before further training.
    Columns of other weights that read a new piece start at zero, so random weights are fine for most pieces; one that
    would change the outputs whatever its weights are is refused."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        self.settings = settings

    @classmethod
    def input_size(cls, settings: ModelSettings) -> int:
        """The size of its addition to the input of the decoder's GRU."""
        return 0

    @classmethod
    def readout_size(cls, settings: ModelSettings) -> int:
        """The size of its addition to the input of the readout."""
        return 0

    def encode(self, encoded: Encoded, inputs: Mapping[str, Tensor], embedding: nn.Embedding) -> Encoded:
        """Change the encoder's output, given the further inputs that the settings name."""
        return encoded

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """The initial value, (D, …); `hidden` (D, H) is the initial decoder state."""
        raise NotImplementedError

    def read(self, value: Tensor, reading: StepInput) -> Tensor:
        """The value after reading the words, before the decoder's GRU."""
        return value

    def resume(self, value: Tensor, hidden: Tensor, reading: StepInput) -> Tensor:
        """The decoder state (D, N, H) that the step continues, given that after the previous step.

        A piece that changes it `feeds_back`.
        """
        return hidden

    def inputs(self, value: Tensor) -> Tensor | None:
        """Further inputs of the decoder's GRU, (D, N, `input_size`)."""
        return None

    def keys(self, value: Tensor) -> Tensor | None:
        """Added to the attention keys, inside the tanh, (D, N, A, S)."""
        return None

    def energies(self, value: Tensor, states: Tensor) -> Tensor | None:
        """Added to the attention energies, (D, N, S)."""
        return None

    def copying(self, memory: Memory) -> Tensor | None:
        """Added to log α where words are copied, which is then normalised again, (D, S)."""
        return None

    def features(self, value: Tensor | None, states: Tensor, reading: StepInput) -> Tensor | None:
        """Further inputs of the readout, (D, N, `readout_size`)."""
        return None

    def after(self, value: Tensor, decoded: Decoded) -> Tensor:
        """The value after the step."""
        return value

    def loss(self, encoded: Encoded, batch: Batch) -> Tensor:
        """A loss of its own in training, a scalar; the setting of its name in `LossSettings` is its weight."""
        raise NotImplementedError


def piece_classes(settings: ModelSettings) -> dict[str, type[Piece]]:
    """The classes of the pieces that settings add, by setting name."""
    found = {}
    for name, place in settings.pieces.items():
        module, _, kind = place.partition(":")
        found[name] = getattr(import_module(module), kind)
    return found
