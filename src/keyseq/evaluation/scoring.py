"""Scores: one value per document and metric, their aggregates, and signatures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from keyseq.errors import KeyseqError
from keyseq.evaluation.metrics import Floats, Name, harmonic, parse, ratio
from keyseq.evaluation.protocols import Protocol
from keyseq.evaluation.subject_table import SubjectTable
from keyseq.evaluation.tabular import Tabular
from keyseq.imports import require
from keyseq.text.stem import versioned
from keyseq.version import __version__

MOST_SHOWN = 4  # metrics in the repr of scores


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Tabular):
    """The scores of one system on one corpus under one protocol.

    `values` holds one value per document for each metric, NaN for documents left out of the average. Besides the
    requested `metrics` it may hold the precision and recall that their aggregates need.
    """

    ids: tuple[str, ...]
    values: Mapping[str, Floats]
    metrics: tuple[str, ...]
    protocol: Protocol
    data: str  # the corpus: its name and the beginning of its SHA-256, "inspec:3fa94c01"
    subjects: SubjectTable | None = None  # where a metric is an average over subjects
    model: str = ""  # the sentence-embedding model, where a metric is semantic

    def __repr__(self) -> str:
        from keyseq.evaluation.report import shown

        told = ", ".join(f"{name} {shown(name, self.aggregate(name))}" for name in self.metrics[:MOST_SHOWN])
        more = ", …" if len(self.metrics) > MOST_SHOWN else ""
        return f"Scores({self.data}, {len(self.ids):,} documents, {self.protocol.name}: {told}{more})"

    def rendered(self, format: str) -> str:
        """A table with its signatures as `text`, `markdown`, `latex`, `html` or `json`."""
        from keyseq.evaluation.report import render_scores

        return render_scores({"score": self}, format=format)

    def records(self) -> list[dict[str, Any]]:
        """The metrics, each with score, number of documents and signature."""
        from keyseq.evaluation.report import score_record

        rows = (score_record("", self, metric) for metric in self.metrics)
        return [{name: value for name, value in row.items() if name != "system"} for row in rows]

    def documents_to_pandas(self) -> Any:  # a DataFrame
        """The scores of every document: a row for each id, a column for each metric."""
        columns = {name: self.values[name] for name in self.metrics if name in self.values}
        return require("pandas", "pandas").DataFrame(columns, index=list(self.ids))

    @overload
    def aggregate(self, name: str, counts: None = None) -> float: ...
    @overload
    def aggregate(self, name: str, counts: NDArray[Any]) -> Floats: ...
    def aggregate(self, name: str, counts: NDArray[Any] | None = None) -> float | Floats:
        """The score of the corpus; with `counts` (R, N), how often each document is drawn, of R samples of it.

        NaN where no document enters. An average over subjects has no samples.
        """
        if self.subjects is not None and parse(name).of_subjects and counts is None:
            return self.subjects.average(parse(name))
        statistics = self.statistics(name)
        if counts is None:
            return float(self.from_sums(name, statistics.sum(axis=0)))
        return self.from_sums(name, counts @ statistics)

    def statistics(self, name: str) -> Floats:
        """Sufficient statistics per document, (N, K): a corpus score depends only on the sums of these columns.

        Two columns for each mean: whether the document counts, and its value.
        """
        metric = parse(name)
        if metric.of_subjects:
            raise KeyseqError(f"{name} is averaged over subjects, for which documents are not resampled; leave it out")
        if self._of_means(metric):
            columns = [self._column(metric.of(part)) for part in ("precision", "recall")]
        elif metric.definition.aggregate == "micro":
            columns = [self._column(part) for part in micro_parts(metric)]
        elif metric.definition.aggregate == "variance":
            columns = [self._column(metric), self._column(metric) ** 2]
        else:
            columns = [self._column(metric)]
        return np.column_stack([half for column in columns for half in (~np.isnan(column), np.nan_to_num(column))])

    def from_sums(self, name: str, sums: Floats) -> Floats:
        """The score of a corpus from the sums over its documents: (…, K) → (…); NaN without documents."""
        metric = parse(name)
        number, total = sums[..., 0::2], sums[..., 1::2]
        means: Floats = np.divide(total, number, out=np.full_like(total, np.nan), where=number > 0)
        if self._of_means(metric):
            return harmonic(means[..., 0], means[..., 1])
        if metric.definition.aggregate == "variance":
            return means[..., 1] - means[..., 0] ** 2
        if metric.definition.aggregate == "micro":
            precision, recall = ratio(means[..., 0], means[..., 1]), ratio(means[..., 0], means[..., 2])
            parts = {"micro-precision": precision, "micro-recall": recall, "micro-f1": harmonic(precision, recall)}
            return parts[metric.metric]
        return means[..., 0]

    def _of_means(self, metric: Name) -> bool:
        return metric.definition.aggregate == "f1" and self.protocol.average == "f1-of-means"

    def _column(self, metric: Name) -> Floats:
        if str(metric) not in self.values:
            raise KeyseqError(f"metric '{metric}' was not computed; these were: {', '.join(self.metrics)}")
        return self.values[str(metric)]

    def documents(self, name: str) -> int:
        """The number of documents in the average."""
        if parse(name).of_subjects:
            return len(self.ids)
        return int(np.count_nonzero(~np.isnan(self._column(parse(name)))))

    def signature(self, name: str) -> str:
        """Everything needed to reproduce the number: metric, protocol, corpus, version."""
        metric, protocol = parse(name), self.protocol
        overrides = [f"set:{rule}={value}" for rule, value in protocol.overrides.items()]
        padded = metric.padded or (protocol.precision == "k" and not metric.definition.semantic)
        return "|".join(
            [
                str(metric),
                f"protocol:{protocol.name}",
                *overrides,
                *self._comparison(metric),
                f"pad:{'yes' if padded else 'no'}",
                "avg:docs-with-targets" if protocol.documents == "with-targets" else "avg:all-docs",
                f"f1:{protocol.average}",
                f"docs:{self.documents(name)}",
                f"data:{self.data}",
                f"keyseq:{__version__}",
            ]
        )

    def _comparison(self, metric: Name) -> list[str]:
        """The part of the signature on how predictions are compared with the gold."""
        if metric.definition.semantic:
            matched = ["match:max-cosine-or-same-stems", f"model:{self.model}"]
            return [*matched, f"stem:{versioned(self.protocol.stemmer)}", f"tokenizer:{self.protocol.tokenizer}"]
        if self.protocol.compare == "stems":
            return [f"stem:{versioned(self.protocol.stemmer)}", f"tokenizer:{self.protocol.tokenizer}"]
        size = self.subjects.concepts if self.subjects is not None else None
        averaged = (
            [f"subjects:{'occurring' if size is None else f'vocabulary-of-{size}'}"] if metric.of_subjects else []
        )
        return ["compare:concepts", *averaged]


def micro_parts(metric: Name) -> list[Name]:
    """What a micro-average is made of: correct predictions, those considered, and targets."""
    return [metric.of("correct"), metric.of("considered"), Name(metric.part, "targets")]
