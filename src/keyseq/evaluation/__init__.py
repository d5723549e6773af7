"""Evaluation: protocols, metrics, scores with their signatures, significance tests."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keyseq.evaluation.evaluator import evaluate, oracle
    from keyseq.evaluation.scoring import Scores
    from keyseq.evaluation.side_by_side import evaluate_all

__all__ = ["Scores", "evaluate", "evaluate_all", "oracle"]

_HOMES = {"Scores": "scoring", "evaluate": "evaluator", "evaluate_all": "side_by_side", "oracle": "evaluator"}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for: protocols can be listed without NumPy."""
    if name not in _HOMES:
        raise AttributeError(f"module 'keyseq.evaluation' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"keyseq.evaluation.{_HOMES[name]}"), name)
