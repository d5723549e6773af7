"""`keyseq.compare`: whether systems differ significantly, from their predictions."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from keyseq.errors import KeyseqError, UnfitValueError, named_value
from keyseq.evaluation import protocols
from keyseq.evaluation.evaluator import Predictions, evaluate
from keyseq.evaluation.metrics import parse
from keyseq.evaluation.protocols import Protocol
from keyseq.evaluation.resampling import Resampling
from keyseq.evaluation.scoring import Scores
from keyseq.evaluation.significance import TESTS, Comparison
from keyseq.evaluation.significance import compare as compare_scores
from keyseq.types import Document


def compare(
    gold: Iterable[Document] | Path | str,
    systems: Mapping[str, Predictions | Scores],
    *,
    protocol: Protocol | str = protocols.DEFAULT,
    metrics: Sequence[str] | str | None = None,
    samples: int = Resampling.samples,
    seed: int = Resampling.seed,
    level: float = Resampling.level,
    tests: Sequence[str] = TESTS,
) -> Comparison:
    """Compare systems with the first of them: scores, confidence intervals, differences and p values.

    `systems` are predictions as for `keyseq.evaluate`, or their scores, by the names of the systems.
    """
    if not isinstance(systems, Mapping):
        raise UnfitValueError(f"systems are predictions by name, {{'mine': …, 'other': …}}, not {named_value(systems)}")
    if len(systems) < 2:
        raise KeyseqError("compare needs two or more systems; use keyseq.evaluate for one")
    asked = [metrics] if isinstance(metrics, str) else metrics
    known = gold if isinstance(gold, str | Path) else list(gold)  # read once for each system
    scores = {
        name: given if isinstance(given, Scores) else evaluate(known, given, protocol=protocol, metrics=asked)
        for name, given in systems.items()
    }
    names = asked or [name for name in next(iter(scores.values())).metrics if not parse(name).of_subjects]
    return compare_scores(scores, list(names), Resampling(samples=samples, seed=seed, level=level), tests)
