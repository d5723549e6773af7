"""Scores: a table of one value a document for each metric, what it comes to, and how it was made."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from keyseq.errors import KeyseqError
from keyseq.evaluation.metrics import Floats, Name, harmonic, parse
from keyseq.evaluation.protocols import Protocol
from keyseq.version import __version__


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of one system on one corpus under one protocol.

    `values` holds one value a document for each metric, NaN where the document does not enter the average. Beside
    the `metrics` that were asked for it may hold the precision and recall that their aggregates need.
    """

    ids: tuple[str, ...]
    values: Mapping[str, Floats]
    metrics: tuple[str, ...]
    protocol: Protocol
    data: str  # the corpus: its name and the beginning of its SHA-256, "inspec:3fa94c01"

    @overload
    def aggregate(self, name: str, counts: None = None) -> float: ...
    @overload
    def aggregate(self, name: str, counts: NDArray[Any]) -> Floats: ...
    def aggregate(self, name: str, counts: NDArray[Any] | None = None) -> float | Floats:
        """The score of the corpus; with `counts` (R, N), how often each document is drawn, of R samples of it.

        NaN where no document enters.
        """
        metric = parse(name)
        weights = np.ones((1, len(self.ids))) if counts is None else counts
        scores = self._aggregate(metric, weights)
        return float(scores[0]) if counts is None else scores

    def _aggregate(self, metric: Name, weights: NDArray[Any]) -> Floats:
        kind = metric.definition.aggregate
        if kind == "f1" and self.protocol.average == "f1-of-means":
            means = (_mean(self._column(metric.of(part)), weights) for part in ("precision", "recall"))
            return harmonic(*means)
        values = self._column(metric)
        if kind == "variance":
            return _mean(values**2, weights) - _mean(values, weights) ** 2
        return _mean(values, weights)

    def _column(self, metric: Name) -> Floats:
        if str(metric) not in self.values:
            raise KeyseqError(f"metric '{metric}' was not computed; these were: {', '.join(self.metrics)}")
        return self.values[str(metric)]

    def documents(self, name: str) -> int:
        """How many documents enter the average."""
        return int(np.count_nonzero(~np.isnan(self._column(parse(name)))))

    def signature(self, name: str) -> str:
        """All that a reader needs to compute the same number: metric, convention, corpus, version."""
        metric, protocol = parse(name), self.protocol
        overrides = [f"set:{rule}={value}" for rule, value in protocol.overrides.items()]
        padded = metric.padded or protocol.precision == "k"
        return "|".join(
            [
                str(metric),
                f"protocol:{protocol.name}",
                *overrides,
                f"stem:{protocol.stemmer}",
                f"tokenizer:{protocol.tokenizer}",
                f"pad:{'yes' if padded else 'no'}",
                "avg:docs-with-targets" if protocol.documents == "with-targets" else "avg:all-docs",
                f"f1:{protocol.average}",
                f"docs:{self.documents(name)}",
                f"data:{self.data}",
                f"keyseq:{__version__}",
            ]
        )


def _mean(values: Floats, weights: NDArray[Any]) -> Floats:
    """Weighted means of the values that are numbers: (N,), (R, N) → (R,)."""
    entering = ~np.isnan(values)
    total: Floats = weights @ entering.astype(np.float64)
    sums: Floats = weights @ np.where(entering, values, 0.0)
    return np.divide(sums, total, out=np.full_like(total, np.nan), where=total > 0)
