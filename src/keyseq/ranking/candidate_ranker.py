"""The ranker: from the candidates of a document to calibrated probabilities that they are its keyphrases."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.ranking.boosting import BoostedTrees
from keyseq.ranking.features import FEATURES
from keyseq.ranking.logistic import logistic
from keyseq.ranking.pool import Sketch
from keyseq.ranking.redundancy import RELATIONS, Shortlist, fragments, relations
from keyseq.ranking.runs import Floats

Rows = NDArray[np.float32]
LEAST = -20.0  # the logit of candidates that are never returned


@dataclass(frozen=True)
class Scaling:
    """Platt scaling of logits, separate for present and absent phrases."""

    slopes: Floats  # (2,) absent, present
    offsets: Floats  # (2,)

    def probabilities(self, logits: Floats, present: NDArray[np.bool_]) -> Floats:
        """The probability (N,) that each candidate is a keyphrase."""
        return logistic(self.logits(logits, present))

    def logits(self, logits: Floats, present: NDArray[np.bool_]) -> Floats:
        """The logits of these probabilities."""
        which = present.astype(int)
        scaled: Floats = logits * self.slopes[which] + self.offsets[which]
        return scaled


@dataclass(frozen=True)
class CandidateRanker:
    """Two sets of trees, one over the features of each candidate, one over how the best of them overlap.

    `others` is the mean number of keyphrases of a document that are not among its candidates.
    """

    first: BoostedTrees
    second: BoostedTrees
    scaling: Scaling
    others: float

    @cached_property
    def asked(self) -> NDArray[np.bool_]:
        """Which features the first trees use (F,)."""
        return np.isin(np.arange(len(FEATURES)), self.first.features)

    def probabilities(self, rows: Rows, sketch: Sketch) -> Floats:
        """The probability (N,) that each candidate is a keyphrase; near 0 for fragments of better ones."""
        return self.scaling.probabilities(self.logits(rows, sketch), sketch.in_text)

    def logits(self, rows: Rows, sketch: Sketch) -> Floats:
        """The logits by both sets of trees; candidates that the second does not see rank below the others."""
        if not len(rows):
            return np.zeros(0)
        return second_look(self.first.logits(rows), sketch, self.second)

    def arrays(self) -> dict[str, Any]:
        """The parameters, by name."""
        named = {f"first.{name}": value for name, value in self.first.arrays().items()}
        named |= {f"second.{name}": value for name, value in self.second.arrays().items()}
        return named | {
            "slopes": self.scaling.slopes,
            "offsets": self.scaling.offsets,
            "others": np.array([self.others]),
        }

    @classmethod
    def from_arrays(cls, named: Mapping[str, Any]) -> "CandidateRanker":
        """Restore from `arrays`; KeyError or ValueError if they are invalid."""
        first, second = (
            {name.removeprefix(f"{part}."): value for name, value in named.items() if name.startswith(f"{part}.")}
            for part in ("first", "second")
        )
        scaling = Scaling(named["slopes"], named["offsets"])
        if scaling.slopes.shape != (2,) or scaling.offsets.shape != (2,) or named["others"].shape != (1,):
            raise ValueError("a calibration of another shape")
        if not all(np.isfinite(named[name]).all() for name in ("slopes", "offsets", "others")):
            raise ValueError("a calibration that is not of finite numbers")
        return cls(
            BoostedTrees.from_arrays(first, len(FEATURES)),
            BoostedTrees.from_arrays(second, len(RELATIONS)),
            scaling,
            float(named["others"][0]),
        )


def second_look(logits: Floats | Rows, sketch: Sketch, trees: BoostedTrees) -> Floats:
    """The logits of the best candidates by how they overlap; those of the others stay below them."""
    shortlist = Shortlist(sketch, logits)
    again = trees.logits(relations(shortlist)).astype(float)
    again[fragments(shortlist, again)] = LEAST
    lowest = again[again > LEAST].min(initial=0.0)
    final: Floats = np.minimum(logits.astype(float), lowest - 1e-3)
    final[shortlist.numbers] = again
    return final
