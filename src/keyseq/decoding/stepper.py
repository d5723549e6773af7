"""The interface of engines: encode sources once, then return the best next words of every hypothesis at each step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from keyseq.data.network_inputs import NetworkInput

Ids = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Allowed:
    """The words that may follow hypotheses in constrained decoding.

    At the beginning of a phrase, these are the words of `first` and those of `ids`; within a phrase, only those of
    `ids`. The long list `first` is shared by all hypotheses instead of being repeated in each row.
    """

    first: NDArray[np.bool_]  # (V,) by id
    begins: NDArray[np.bool_]  # (D, B) whether a hypothesis is at the beginning of a phrase
    ids: Ids  # (D, B, A) extended ids, padded with -1; A is at least 1


@dataclass(frozen=True, slots=True)
class Ends:
    """The last words and scores of hypotheses; a score of -inf marks an empty slot."""

    tokens: Ids  # (D, B) extended ids
    scores: Floats  # (D, B) sums of log-probabilities


class SearchState(Protocol):
    """The decoder state of B hypotheses for each of D documents; those of one document share its encoder memory."""

    def select(self, documents: Ids, beams: Ids) -> Self:
        """Keep some documents (D',), any number of times, with hypotheses that continue the given ones (D', B')."""
        ...


S = TypeVar("S", bound=SearchState)


@dataclass(frozen=True, slots=True)
class Continuations(Generic[S]):
    """The k best one-word continuations of the hypotheses of each document, best first.

    Source words outside the vocabulary have extended ids. Probabilities of generating and of copying a word are
    summed. Padding, `<unk>` and `<s>` never occur. With fewer than k continuations, there are fewer columns, or some
    have a score of -inf; their other values are undefined.
    """

    scores: Floats  # (D, k) of the extended hypotheses
    beams: Ids  # (D, k) the hypotheses that are extended
    ids: Ids  # (D, k) the words
    state: S


class Stepper(Protocol[S]):
    """An engine; it is stateless, so that threads can share it."""

    def encode(self, sources: Sequence[NetworkInput]) -> S:
        """Encode sources; the state has one empty hypothesis for each."""
        ...

    def step(self, state: S, ends: Ends, k: int, allowed: Allowed | None = None) -> Continuations[S]:
        """Read the last word of every hypothesis, and return the best continuations."""
        ...
