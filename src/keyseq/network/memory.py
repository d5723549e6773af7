"""What is kept of a source while its phrases are generated."""

from dataclasses import dataclass, field

from torch import Tensor


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the encoder makes of sources; the network's pieces may change it and add to it."""

    states: Tensor  # (D, S, 2He), h_e
    final: Tensor  # (D, 2He), h_e^N
    lengths: Tensor  # (D,)
    extra: dict[str, Tensor] = field(default_factory=dict)  # what pieces keep for the decoder, by name, (D, …)


@dataclass(frozen=True, slots=True)
class Memory:
    """What a step reads of the source; computed once a document."""

    states: Tensor  # (D, S, 2He), h_e
    keys: Tensor  # (D, A, S), the half of L₂ that sees h_e; the longer dimension last is faster
    mask: Tensor  # (D, S), true at words, false at padding
    words: Tensor  # (D, S), extended ids
    extra: dict[str, Tensor] = field(default_factory=dict)
