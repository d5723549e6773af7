"""What a search asks of an engine: encode sources once, then the best next words of every hypothesis, step by step."""

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
    """The only words that hypotheses may go on with, where the choice is narrowed.

    A hypothesis at the beginning of a phrase may go on with every word of `first` and with what `ids` holds for it;
    one within a phrase with what `ids` holds alone. So the long list crosses the border by reference, not by row.
    """

    first: NDArray[np.bool_]  # (V,) by id
    begins: NDArray[np.bool_]  # (D, B) whether a hypothesis is at the beginning of a phrase
    ids: Ids  # (D, B, A) extended ids, filled up with -1, at least one place each


@dataclass(frozen=True, slots=True)
class Ends:
    """The last words of hypotheses, and what they have come to; a score of -inf marks an empty place."""

    tokens: Ids  # (D, B) extended ids
    scores: Floats  # (D, B) sums of log-probabilities


class SearchState(Protocol):
    """Where the hypotheses of D documents stand, B of each; those of one document share its encoder memory."""

    def select(self, documents: Ids, beams: Ids) -> Self:
        """Keep some documents (D',) and let their hypotheses go on from the given ones (D', B')."""
        ...


S = TypeVar("S", bound=SearchState)


@dataclass(frozen=True, slots=True)
class Continuations(Generic[S]):
    """The k best ways for a document's hypotheses to go on by a word, best first.

    Words of the source outside the vocabulary have extended ids. What a word gets by being generated and by being
    copied is added up. Padding, `<unk>` and `<s>` never appear. Where there are fewer than k ways, there are fewer
    places, or some have a score of -inf; what they lead to means nothing.
    """

    scores: Floats  # (D, k) of the hypotheses with the word behind them
    beams: Ids  # (D, k) the hypotheses that go on
    ids: Ids  # (D, k) the words
    state: S


class Stepper(Protocol[S]):
    """An engine: it keeps nothing between calls, so that threads can share it."""

    def encode(self, sources: Sequence[NetworkInput]) -> S:
        """Read sources, and stand at the beginning of one hypothesis for each."""
        ...

    def step(self, state: S, ends: Ends, k: int, allowed: Allowed | None = None) -> Continuations[S]:
        """Read the last word of every hypothesis, and give the best ways to go on."""
        ...
