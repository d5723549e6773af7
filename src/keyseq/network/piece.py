"""What a setting adds to the network: each piece says in one class what it reads, carries and adds to a step.

Training, search, tracing, storage and the model card follow from that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from keyseq.config import ModelSettings
from keyseq.network.memory import Encoded, Memory
from keyseq.network.recurrence import gru_step, recurrent


@dataclass(frozen=True, slots=True)
class StepInput:
    """The words that a step reads, one for each of the N hypotheses of D documents.

    While whole targets are learnt, the N words are those of one sequence, read one after the other: `in_sequence`.
    """

    words: Tensor  # (D, N), extended ids
    embedded: Tensor  # (D, N, E)
    memory: Memory
    in_sequence: bool = False

    def advance(self, gru: nn.GRU, inputs: Tensor, before: Tensor) -> Tensor:
        """The states (D, N, H) of a GRU after inputs (D, N, X).

        `before` (D, N, H) are the states before; those of a sequence, (D, 1, H), are the ones before its first word.
        """
        return recurrent(gru, inputs, before[:, 0])[0] if self.in_sequence else gru_step(gru, inputs, before)

    def split(self) -> list["StepInput"]:
        """The words of sequences one by one."""
        pairs = zip(torch.split(self.words, 1, dim=1), torch.split(self.embedded, 1, dim=1), strict=True)
        return [StepInput(words, embedded, self.memory, self.in_sequence) for words, embedded in pairs]


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a step gives for each word that it has read, (D, N, …)."""

    states: Tensor  # (D, N, H), h_d as the GRU leaves it
    dropped: Tensor  # (D, N, H), h_d after dropout, which the parts below have seen
    context: Tensor  # (D, N, 2He), Σ α h_e
    log_attention: Tensor  # (D, N, S), log α
    readout: Tensor  # (D, N, O), what the output layer sees


class Piece(nn.Module):
    """Something that a setting adds to the encoder, to the decoder, or to both; by itself it adds nothing.

    A piece that carries a value from word to word defines `start`, and `read` or `after`; it then has `axes`. Values
    are (D, N, …), so that one definition serves the hypotheses of a search and the words of a target.
    """

    axes: ClassVar[str | None] = None
    """Which dimensions of the carried value, beside (D, N), vary: "S" for one entry for each word of the source, "T"
    for one that grows with every word, "" for none; None where nothing is carried."""

    feeds_back: ClassVar[bool] = False
    """Whether the value depends on what the step before gave, so that targets are learnt word by word."""

    remembers: ClassVar[Mapping[str, str]] = {}
    """What `encode` adds to the memory: for each name the axes beside D that vary."""

    new_weights: ClassVar[Literal["zeros", "random"]] = "random"
    """How its weights begin when it joins a trained network, which shall generate the same as before at first.
    Columns of other weights that read a new piece are always zeros, so most pieces can begin with random weights."""

    def __init__(self, settings: ModelSettings) -> None:
        super().__init__()
        self.settings = settings

    @classmethod
    def input_size(cls, settings: ModelSettings) -> int:
        """How many numbers it adds to the input of the decoder's GRU."""
        return 0

    @classmethod
    def readout_size(cls, settings: ModelSettings) -> int:
        """How many numbers it adds to what the readout sees."""
        return 0

    def encode(self, encoded: Encoded, inputs: Mapping[str, Tensor], embedding: nn.Embedding) -> Encoded:
        """Change what the encoder has made of the sources, by the further inputs that the settings name."""
        return encoded

    def start(self, encoded: Encoded, hidden: Tensor) -> Tensor:
        """The value before the first word, (D, …); `hidden` (D, H) is the decoder's first state."""
        raise NotImplementedError

    def read(self, value: Tensor, reading: StepInput) -> Tensor:
        """The value once the words are read, before the decoder's GRU."""
        return value

    def inputs(self, value: Tensor) -> Tensor | None:
        """What the decoder's GRU reads beside the words, (D, N, `input_size`)."""
        return None

    def keys(self, value: Tensor) -> Tensor | None:
        """What is added to the attention's keys, inside the tanh, (D, N, A, S)."""
        return None

    def energies(self, value: Tensor, states: Tensor) -> Tensor | None:
        """What is added to the attention's energies, (D, N, S)."""
        return None

    def features(self, value: Tensor | None, states: Tensor, reading: StepInput) -> Tensor | None:
        """What the readout sees beside state and context, (D, N, `readout_size`)."""
        return None

    def after(self, value: Tensor, decoded: Decoded) -> Tensor:
        """The value after the step."""
        return value


def piece_classes(settings: ModelSettings) -> dict[str, type[Piece]]:
    """The classes of the pieces that settings add, by the names of these settings."""
    found = {}
    for name, place in settings.pieces.items():
        module, _, kind = place.partition(":")
        found[name] = getattr(import_module(module), kind)
    return found
