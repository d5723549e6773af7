"""Calibration of the number of phrases: when `distinct` decoding ends its sequence."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from keyseq.config import EndingSettings
from keyseq.data.network_inputs import NetworkInput
from keyseq.data.vocabulary import EOS, SEP
from keyseq.decoding.policies import Policy
from keyseq.decoding.stepper import Allowed, Continuations, Ends
from keyseq.errors import KeyseqError
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.runtime.state import GraphState
from keyseq.systems.neural import Model, NeuralSystem
from keyseq.systems.neural_settings import NeuralSettings
from keyseq.types import Document

# The grid: the bonus of `</s>` at the mean number of phrases, and its growth from one phrase to the next
BONUSES = np.arange(-30, 31) / 10
GROWTHS = np.arange(0, 11) / 10
TOLERANCE = 1.02  # times the lowest MAE counts as equally good


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingFit:
    """An ending, and the mean absolute error (MAE) of the number of phrases with it, without it, and of the mean."""

    ending: EndingSettings
    documents: int
    mae: float
    mae_uncalibrated: float
    mae_mean_baseline: float  # of predicting the mean number of keyphrases for every document


@dataclass(frozen=True, slots=True)
class Margins:
    """The margin of `</s>` over the best other word at every step where the sequence of a document could have ended."""

    phrases: NDArray[np.int64]  # (T,) generated up to and including this step
    margins: NDArray[np.float64]  # (T,)

    def count(self, bonus: float, growth: float) -> int:
        """The number of phrases generated before the sequence ends."""
        ends = np.flatnonzero(self.margins + bonus + growth * self.phrases > 0)
        return int(self.phrases[ends[0] if len(ends) else -1])


class _Unending(GraphStepper):
    """Suppresses `</s>` and records its margins; one document at a time."""

    phrases = 0
    separators: tuple[int, ...] = (SEP,)

    def encode(self, sources: Sequence[NetworkInput]) -> GraphState:
        self.recorded: list[tuple[int, float]] = []
        self.phrases = 1
        return super().encode(sources)

    def runs(self, policy: Policy) -> bool:  # noqa: ARG002  # of any policy
        """Never: what is recorded is recorded step by step."""
        return False

    def step(self, state: GraphState, ends: Ends, k: int, allowed: Allowed | None = None) -> Continuations[GraphState]:
        found = super().step(state, ends, k, allowed)
        self.phrases += int(ends.tokens[0, 0] in self.separators)
        is_end = found.ids == EOS
        if is_end.any():
            margin = found.scores[is_end].max() - found.scores[~is_end].max()
            self.recorded.append((self.phrases, float(margin)))
        return replace(found, scores=np.where(is_end, np.float32(-np.inf), found.scores))


def fit_ending(exported: ExportedNetwork, documents: Iterable[Document]) -> EndingFit:
    """Fit the ending of a network that generates several phrases per sequence to documents with keyphrases."""
    wanted, recorded = [], []
    for count, margins in _margins(exported, documents):
        wanted.append(count)
        recorded.append(margins)
    if not wanted:
        raise KeyseqError("no document with keyphrases to calibrate on")
    return fit(recorded, np.array(wanted))


def fit(recorded: Sequence[Margins], wanted: NDArray[np.int64]) -> EndingFit:
    """The ending with the lowest MAE in the number of phrases.

    The faster the bonus grows, the less the number depends on the text, so of nearly equal fits the slowest is taken.
    """

    def error(bonus: float, growth: float) -> float:
        counts = np.array([margins.count(bonus, growth) for margins in recorded])
        return float(np.abs(counts - wanted).mean())

    mean = float(wanted.mean())
    fits = [
        min((error(bonus - growth * mean, growth), abs(bonus), bonus - growth * mean, growth) for bonus in BONUSES)
        for growth in GROWTHS
    ]
    least = min(fits)[0]
    best, _, bonus, growth = next(fit for fit in fits if fit[0] <= TOLERANCE * least)
    return EndingFit(
        ending=EndingSettings(bonus=round(float(bonus), 3), growth=float(growth)),
        documents=len(recorded),
        mae=best,
        mae_uncalibrated=error(0, 0),
        mae_mean_baseline=float(np.abs(wanted - mean).mean()),
    )


def _margins(exported: ExportedNetwork, documents: Iterable[Document]) -> Iterator[tuple[int, Margins]]:
    """The number of keyphrases of each document, and where the network could have stopped."""
    stepper = _Unending(exported)
    stepper.separators = exported.vocabulary.separators
    model = Model(stepper, exported.vocabulary, exported.settings.target)
    system = NeuralSystem("endless", model, NeuralSettings(decoding="distinct", cut=True, threads=1))
    for document in documents:
        stepper.recorded, stepper.phrases = [], 0  # stays empty for a text without words
        system.predict([document])
        phrases, margins = zip(*stepper.recorded, (stepper.phrases, -np.inf), strict=True)
        yield len(document.keyphrases or ()), Margins(np.array(phrases), np.array(margins))
