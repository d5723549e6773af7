"""The encoder memory: what the decoder reads of a source."""

from dataclasses import dataclass, field

from torch import Tensor


@dataclass(frozen=True, slots=True)
class Encoded:
    """The output of the encoder; pieces may change it and add to it."""

    states: Tensor  # (D, S, 2He), h_e
    final: Tensor  # (D, 2He), h_e^N
    lengths: Tensor  # (D,)
    extra: dict[str, Tensor] = field(default_factory=dict)  # what pieces keep for the decoder, by name, (D, …)


@dataclass(frozen=True, slots=True)
class Memory:
    """What a decoder step reads of the source; computed once per document."""

    states: Tensor  # (D, S, 2He), h_e
    keys: Tensor  # (D, A, S), L₂ applied to h_e; faster with the longer dimension last
    mask: Tensor  # (D, S), true at words, false at padding
    words: Tensor  # (D, S), extended ids
    extra: dict[str, Tensor] = field(default_factory=dict)
