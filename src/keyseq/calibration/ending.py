"""How many phrases a network says, fitted to documents: when `distinct` decoding ends its sequence."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from keyseq.config import EndingSettings
from keyseq.data.vocabulary import EOS, SEP
from keyseq.decoding.stepper import Allowed, Continuations, Ends, Ids
from keyseq.errors import KeyseqError
from keyseq.runtime.engine import GraphStepper
from keyseq.runtime.onnx import ExportedNetwork
from keyseq.runtime.state import GraphState
from keyseq.systems.neural import Model, NeuralSettings, NeuralSystem
from keyseq.types import Document

# What is tried: bonuses at the mean number of phrases, and how fast they grow from one phrase to the next
BONUSES = np.arange(-30, 31) / 10
GROWTHS = np.arange(0, 11) / 10
NEARLY = 1.02  # times the least error is as good


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingFit:
    """An ending, and the mean absolute errors of the number of phrases that speak for it."""

    ending: EndingSettings
    documents: int
    error: float
    uncalibrated: float
    of_the_mean: float  # of always saying as many as the documents have on average


@dataclass(frozen=True, slots=True)
class Margins:
    """What `</s>` had over the best other word wherever a sequence of a document could have ended."""

    phrases: NDArray[np.int64]  # (T,) said up to there, the last one counted
    margins: NDArray[np.float64]  # (T,)

    def count(self, bonus: float, growth: float) -> int:
        """How many phrases are said before the sequence ends."""
        ends = np.flatnonzero(self.margins + bonus + growth * self.phrases > 0)
        return int(self.phrases[ends[0] if len(ends) else -1])


class _Endless(GraphStepper):
    """Goes on for ever, and notes the margins of `</s>` on the way; of one document at a time."""

    phrases = 0

    def encode(self, sources: Sequence[Ids]) -> GraphState:
        self.noted: list[tuple[int, float]] = []
        self.phrases = 1
        return super().encode(sources)

    def step(self, state: GraphState, ends: Ends, k: int, allowed: Allowed | None = None) -> Continuations[GraphState]:
        found = super().step(state, ends, k, allowed)
        self.phrases += int(ends.tokens[0, 0] == SEP)
        is_end = found.ids == EOS
        if is_end.any():
            margin = found.scores[is_end].max() - found.scores[~is_end].max()
            self.noted.append((self.phrases, float(margin)))
        return replace(found, scores=np.where(is_end, np.float32(-np.inf), found.scores))


def fit_ending(exported: ExportedNetwork, documents: Iterable[Document]) -> EndingFit:
    """Fit the ending of a network that says several phrases a sequence to documents with keyphrases."""
    wanted, noted = [], []
    for count, margins in _margins(exported, documents):
        wanted.append(count)
        noted.append(margins)
    if not wanted:
        raise KeyseqError("no document with keyphrases to calibrate on")
    return fit(noted, np.array(wanted))


def fit(noted: Sequence[Margins], wanted: NDArray[np.int64]) -> EndingFit:
    """The ending under which documents get most nearly as many phrases as wanted.

    The faster the bonus grows, the less the number follows the text, so it grows no faster than nearly as good takes.
    """

    def error(bonus: float, growth: float) -> float:
        counts = np.array([margins.count(bonus, growth) for margins in noted])
        return float(np.abs(counts - wanted).mean())

    mean = float(wanted.mean())
    fits = [
        min((error(bonus - growth * mean, growth), abs(bonus), bonus - growth * mean, growth) for bonus in BONUSES)
        for growth in GROWTHS
    ]
    least = min(fits)[0]
    best, _, bonus, growth = next(fit for fit in fits if fit[0] <= NEARLY * least)
    return EndingFit(
        ending=EndingSettings(bonus=round(float(bonus), 3), growth=float(growth)),
        documents=len(noted),
        error=best,
        uncalibrated=error(0, 0),
        of_the_mean=float(np.abs(wanted - mean).mean()),
    )


def _margins(exported: ExportedNetwork, documents: Iterable[Document]) -> Iterator[tuple[int, Margins]]:
    """How many keyphrases each document has, and where the network could have stopped."""
    stepper = _Endless(exported)
    model = Model(stepper, exported.vocabulary, exported.settings.target)
    system = NeuralSystem("endless", model, NeuralSettings(decoding="distinct", cut=True, threads=1))
    for document in documents:
        stepper.noted, stepper.phrases = [], 0  # what a text without words is left with
        system.predict([document])
        phrases, margins = zip(*stepper.noted, (stepper.phrases, -np.inf), strict=True)
        yield len(document.keyphrases or ()), Margins(np.array(phrases), np.array(margins))
