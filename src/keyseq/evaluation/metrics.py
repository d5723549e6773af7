"""The metrics: names, and definitions vectorised over the ranked predictions of many documents."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from keyseq.errors import KeyseqError, nearest
from keyseq.plugins import Table

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

PARTS = ("present", "absent", "all", "predictions")
ALPHA = 0.5  # of α-nDCG: the discount of a target that was found before, as in both released evaluators

# The metrics of the paper's tables, and the number of predictions
DEFAULT = (
    "present.f1@5",
    "present.f1@10",
    "present.f1@o",
    "present.f1@m",
    "absent.recall@10",
    "absent.recall@50",
    "absent.f1@m",
    "predictions.count",
    "predictions.count-mae",
)

# What libraries report of subject indexing: averages over documents, over subjects, and over all assignments
SUBJECT_INDEXING = (
    "all.precision@m",
    "all.recall@m",
    "all.f1@m",
    "all.f1@5",
    "all.ndcg",
    "all.ndcg@5",
    "all.ndcg@10",
    "all.precision@1",
    "all.precision@3",
    "all.precision@5",
    "all.subject-precision@m",
    "all.subject-recall@m",
    "all.subject-f1@m",
    "all.weighted-precision@m",
    "all.weighted-recall@m",
    "all.weighted-f1@m",
    "all.micro-precision@m",
    "all.micro-recall@m",
    "all.micro-f1@m",
    "predictions.count",
)

# What KPEval reports of reference agreement
SEMANTIC = ("all.semantic-precision@m", "all.semantic-recall@m", "all.semantic-f1@m")


@dataclass(frozen=True)
class MatchedPart:
    """The valid predictions of N documents that belong to one part, best first, and the part's targets."""

    hits: NDArray[np.bool_]  # (N, K) is the k-th prediction a target; False beyond the last one
    predicted: Counts  # (N,) valid predictions
    targets: Counts  # (N,) number of gold phrases
    given: Counts  # (N,) predictions before any was ignored
    distinct: Counts  # (N,) of those, how many have distinct stems
    novelty: Floats  # (N, K) gain of each prediction for α-nDCG; without columns if not requested

    def cut(self, at: int | str | None, padded: bool) -> "Ranking":
        """Keep the first k predictions: a number, `o` as many as targets, `m` or None all of them."""
        k = self.targets if at == "o" else self.predicted if at in ("m", None) else np.full_like(self.targets, at)
        hits = self.hits[:, : k.max(initial=0)]
        hits = hits & (np.arange(hits.shape[1]) < k[:, None])
        return Ranking(part=self, hits=hits, k=k, cut=at not in ("m", None), padded=padded)


@dataclass(frozen=True)
class Ranking:
    """A part cut off at k: what a metric is computed from."""

    part: MatchedPart
    hits: NDArray[np.bool_]  # (N, K) False beyond k
    k: Counts  # (N,)
    cut: bool  # whether there is a k at all
    padded: bool  # whether P@k divides by k

    @property
    def ranks(self) -> Counts:
        """The rank of each column, from 1."""
        return np.arange(1, self.hits.shape[1] + 1)

    @property
    def correct(self) -> Counts:
        """The number of hits among the first k."""
        hits: Counts = self.hits.sum(axis=1, dtype=np.int64)
        return hits


def precision(ranking: Ranking) -> Floats:
    """Hits divided by the number of predictions considered, or by k where padded."""
    return ratio(ranking.correct, considered(ranking))


def recall(ranking: Ranking) -> Floats:
    """Hits divided by the number of targets."""
    return ratio(ranking.correct, ranking.part.targets)


def f1(ranking: Ranking) -> Floats:
    """The harmonic mean of precision and recall."""
    return harmonic(precision(ranking), recall(ranking))


def correct(ranking: Ranking) -> Floats:
    """The number of hits."""
    return ranking.correct.astype(np.float64)


def considered(ranking: Ranking) -> Floats:
    """The number of predictions considered, or k where padded."""
    return (ranking.k if ranking.padded else np.minimum(ranking.k, ranking.part.predicted)).astype(np.float64)


def targets(ranking: Ranking) -> Floats:
    """The number of targets."""
    return ranking.part.targets.astype(np.float64)


def subject_precision(ranking: Ranking) -> Floats:
    """The precision of a subject over all documents; a document has none."""
    return _undefined(ranking)


def subject_recall(ranking: Ranking) -> Floats:
    """The recall of a subject over all documents; a document has none."""
    return _undefined(ranking)


def subject_f1(ranking: Ranking) -> Floats:
    """The harmonic mean of the precision and recall of a subject over all documents; a document has none."""
    return _undefined(ranking)


def semantic_precision(ranking: Ranking) -> Floats:
    """The mean similarity of predictions to the gold phrase most alike, by their embeddings (SemP of KPEval)."""
    return _undefined(ranking)


def semantic_recall(ranking: Ranking) -> Floats:
    """The mean similarity of gold phrases to the prediction most alike, by their embeddings (SemR of KPEval)."""
    return _undefined(ranking)


def semantic_f1(ranking: Ranking) -> Floats:
    """The harmonic mean of semantic precision and recall (SemF1 of KPEval)."""
    return _undefined(ranking)


def _undefined(ranking: Ranking) -> Floats:
    return np.full(len(ranking.k), np.nan)


def average_precision(ranking: Ranking) -> Floats:
    """The precision at each hit, summed and divided by the number of targets: a missed target counts 0."""
    at_hits = np.cumsum(ranking.hits, axis=1) / ranking.ranks * ranking.hits
    return ratio(at_hits.sum(axis=1), ranking.part.targets)


def reciprocal_rank(ranking: Ranking) -> Floats:
    """One over the rank of the first hit."""
    best: Floats = np.max(ranking.hits / ranking.ranks, axis=1, initial=0.0)
    return best


def reciprocal_ranks(ranking: Ranking) -> Floats:
    """The mean, over all hits, of one over their rank."""
    return ratio((ranking.hits / ranking.ranks).sum(axis=1), ranking.correct)


def ndcg(ranking: Ranking) -> Floats:
    """DCG = Σ hit / log2(rank + 1), divided by the DCG of an ideal ranking."""
    gain = (ranking.hits / np.log2(ranking.ranks + 1)).sum(axis=1)
    ideal = np.minimum(ranking.k, ranking.part.targets) if ranking.cut else ranking.part.targets
    return ratio(gain, _discounts(ideal))


def alpha_ndcg(ranking: Ranking) -> Floats:
    """nDCG with a target's gain halved each time it is found again; at most as many predictions as targets count."""
    looked_at = ranking.ranks <= np.minimum(ranking.k, ranking.part.targets)[:, None]
    gain = (ranking.part.novelty[:, : len(ranking.ranks)] * looked_at / np.log2(ranking.ranks + 1)).sum(axis=1)
    return ratio(gain, _discounts(ranking.part.targets))


def sadr(ranking: Ranking) -> Floats:
    """Recall in which a hit below rank O, the number of targets, counts only 1 / log2(rank - O + 2)."""
    beyond = np.maximum(ranking.ranks - ranking.part.targets[:, None], 0)
    return ratio((ranking.hits / np.log2(beyond + 2)).sum(axis=1), ranking.part.targets)


def pr_auc(ranking: Ranking) -> Floats:
    """The area under the line from (R 0, P 1) through (R@k, P@k) for k = 1, 2, … to the last prediction."""
    correct = np.cumsum(ranking.hits, axis=1)
    height = np.pad(correct / ranking.ranks, ((0, 0), (1, 0)), constant_values=1.0)
    steps = ranking.hits * (height[:, 1:] + height[:, :-1]) / 2
    return ratio(steps.sum(axis=1), ranking.part.targets)


def count(ranking: Ranking) -> Floats:
    """The number of valid predictions."""
    return ranking.part.predicted.astype(np.float64)


def count_error(ranking: Ranking) -> Floats:
    """The absolute error of the number of valid predictions; its mean is the MAE."""
    error: Floats = np.abs(ranking.part.predicted - ranking.part.targets).astype(np.float64)
    return error


def duplicate_ratio(ranking: Ranking) -> Floats:
    """The fraction of predictions with the stems of an earlier one; 0 without predictions."""
    given = ranking.part.given
    return np.where(given > 0, ratio(given - ranking.part.distinct, given), np.nan)


def unique(ranking: Ranking) -> Floats:
    """The number of predictions with distinct stems."""
    return ranking.part.distinct.astype(np.float64)


@dataclass(frozen=True)
class Metric:
    """How a metric is computed, and in which names it may occur."""

    score: Callable[[Ranking], Floats]
    cutoff: Literal["needed", "possible", "none"] = "none"
    paddable: bool = False
    parts: tuple[str, ...] = ("present", "absent", "all")
    aggregate: Literal["mean", "f1", "variance", "micro", "subjects", "weighted"] = "mean"
    everywhere: bool = False  # defined for documents without targets, under any protocol
    share: bool = True  # between 0 and 1, shown in percent; else a number of phrases
    semantic: bool = False  # computed from embeddings of phrases, not from hits


METRICS = Table(
    "keyseq.metrics",
    Metric,
    {
        "precision": Metric(precision, cutoff="needed", paddable=True),
        "recall": Metric(recall, cutoff="needed"),
        "f1": Metric(f1, cutoff="needed", paddable=True, aggregate="f1"),
        "micro-precision": Metric(precision, cutoff="needed", aggregate="micro"),
        "micro-recall": Metric(recall, cutoff="needed", aggregate="micro"),
        "micro-f1": Metric(f1, cutoff="needed", aggregate="micro"),
        "subject-precision": Metric(subject_precision, cutoff="needed", parts=("all",), aggregate="subjects"),
        "subject-recall": Metric(subject_recall, cutoff="needed", parts=("all",), aggregate="subjects"),
        "subject-f1": Metric(subject_f1, cutoff="needed", parts=("all",), aggregate="subjects"),
        "weighted-precision": Metric(subject_precision, cutoff="needed", parts=("all",), aggregate="weighted"),
        "weighted-recall": Metric(subject_recall, cutoff="needed", parts=("all",), aggregate="weighted"),
        "weighted-f1": Metric(subject_f1, cutoff="needed", parts=("all",), aggregate="weighted"),
        "semantic-precision": Metric(semantic_precision, cutoff="needed", parts=("all",), semantic=True),
        "semantic-recall": Metric(semantic_recall, cutoff="needed", parts=("all",), semantic=True),
        "semantic-f1": Metric(semantic_f1, cutoff="needed", parts=("all",), semantic=True),
        "correct": Metric(correct, cutoff="needed", share=False),
        "considered": Metric(considered, cutoff="needed", share=False),
        "targets": Metric(targets, everywhere=True, share=False),
        "map": Metric(average_precision, cutoff="possible"),
        "mrr": Metric(reciprocal_rank, cutoff="possible"),
        "mrr-all": Metric(reciprocal_ranks, cutoff="possible"),
        "ndcg": Metric(ndcg, cutoff="possible"),
        "alpha-ndcg": Metric(alpha_ndcg, cutoff="needed"),
        "sadr": Metric(sadr),
        "pr-auc": Metric(pr_auc),
        "count": Metric(count, parts=PARTS, everywhere=True, share=False),
        "count-variance": Metric(count, parts=PARTS, aggregate="variance", everywhere=True, share=False),
        "count-mae": Metric(count_error, parts=PARTS, everywhere=True, share=False),
        "duplicate-ratio": Metric(duplicate_ratio, parts=("predictions",), everywhere=True),
        "unique": Metric(unique, parts=("predictions",), everywhere=True, share=False),
    },
)


@dataclass(frozen=True)
class Name:
    """A parsed metric name: `present.f1@5-padded`."""

    part: str
    metric: str
    at: int | str | None = None
    padded: bool = False

    def __str__(self) -> str:
        cutoff = "" if self.at is None else f"@{self.at}"
        return f"{self.part}.{self.metric}{cutoff}{'-padded' if self.padded else ''}"

    @property
    def definition(self) -> Metric:
        """The metric of this name."""
        return METRICS[self.metric]

    @property
    def of_subjects(self) -> bool:
        """Whether it is an average over subjects, which no document has a value of."""
        return self.definition.aggregate in ("subjects", "weighted")

    def of(self, metric: str) -> "Name":
        """The name of another metric with the same part and cutoff; only precision and F1 have padded variants."""
        return replace(self, metric=metric, padded=self.padded and METRICS[metric].paddable)


def parse(text: str) -> Name:
    """Parse a metric name: `part.metric`, `part.metric@k` or `part.metric@k-padded`."""
    written = text.strip().lower()
    if not written:
        raise KeyseqError("empty metric name; use names such as present.f1@5, separated by single commas")
    base, _, cutoff = written.partition("@")
    part, _, metric = base.partition(".")
    if part not in PARTS or metric not in METRICS:
        known = [f"{part}.{name}" for name, metric in METRICS.working().items() for part in metric.parts]
        raise KeyseqError(f"unknown metric '{text}'{_with_its_part(written, base) or nearest(base, known)}")
    at = cutoff.removesuffix("-padded")
    if not at.isdecimal() and at not in ("o", "m") and "@" in written:
        raise KeyseqError(f"metric '{text}': '@' must be followed by a number, o or m, and optionally -padded")
    name = Name(part, metric, int(at) if at.isdecimal() else at or None, padded=at != cutoff)
    if problem := _problem(name):
        raise KeyseqError(f"metric '{text}': {problem}")
    return name


def _with_its_part(written: str, base: str) -> str:
    """The end of a message about a metric without the phrases that it is of, if it is one."""
    parts = METRICS[base].parts if base in METRICS else ()
    of = ", ".join(f"{part}.{written}" for part in parts)
    return f"; say of which phrases: {of}" if of else ""


def _problem(name: Name) -> str | None:
    metric = name.definition
    if name.part not in metric.parts:
        return f"{name.metric} is a metric of {' or '.join(metric.parts)}, not of {name.part}"
    if name.at is None and metric.cutoff == "needed":
        return f"add a cutoff: {name.metric}@5, {name.metric}@o (as many as gold phrases) or {name.metric}@m (all)"
    if name.at is not None and metric.cutoff == "none":
        return f"{name.metric} uses all predictions; leave '@{name.at}' out"
    if name.at == 0:
        return "the cutoff must be at least 1"
    if name.padded and not (metric.paddable and name.at not in (None, "m")):
        return "only precision and f1 at a number or at o have a padded variant"
    return None


def harmonic(first: Floats, second: Floats) -> Floats:
    """The harmonic mean, 0 where both are 0."""
    return ratio(2 * first * second, first + second)


def ratio(numerator: Floats | Counts, denominator: Floats | Counts) -> Floats:
    """Divide, with 0 / 0 = 0."""
    empty = denominator == 0
    return np.where(empty, 0.0, numerator / np.where(empty, 1, denominator))


def _discounts(length: Counts) -> Floats:
    """Σ 1 / log2(rank + 1) over the first `length` ranks."""
    sums = np.cumsum(1 / np.log2(np.arange(2, length.max(initial=0) + 2)))
    return np.concatenate([[0.0], sums])[length]
