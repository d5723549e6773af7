"""The numbers published in the paper."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

_PADDED = ("catseqtg-2rf1",)  # whose F1@5 the paper's table has from its own paper, which pads
STRATEGIES = {"greedy": "greedy", "beam": "top-beam"}  # the paper's names for our decodings


@dataclass(frozen=True, slots=True)
class Question:
    """A published score to look up: the paper's name of the system, the test set, the metric and our decoding."""

    system: str
    test_set: str
    metric: str
    decoding: str = ""

    @property
    def short(self) -> str:
        """The metric without its part, as in tables of one part."""
        return self.metric.rpartition(".")[2]


@cache
def numbers() -> dict[str, Any]:
    """All published numbers, by section; scores in percent."""
    file = resources.files("keyseq.experiments") / "published.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def score(section: str, question: Question) -> float | None:
    """The published number, None if there is none."""
    if not section:
        return None
    found = _LOOKUPS[section](numbers()[section], question)
    return None if found is None else float(found)


def _by_test_set(table: Mapping[str, Any], question: Question) -> Any:  # a number or None
    return table.get(question.system, {}).get(question.test_set, {}).get(question.short)


def _present(table: Mapping[str, Any], question: Question) -> Any:
    """Of the paper's table; padded scores are those of later papers, and what the table copies from a padded one."""
    if question.short != "f1@5-padded":
        return _by_test_set(table, question)
    if question.system in _PADDED:
        return _by_test_set(table, replace(question, metric="present.f1@5"))
    return numbers()["later_work_f1@5_padded"].get(question.system, {}).get(question.test_set)


def _one_test_set(table: Mapping[str, Any], question: Question) -> Any:
    return table.get(question.system, {}).get(question.metric) if question.test_set == "stackex" else None


def _by_strategy(table: Mapping[str, Any], question: Question) -> Any:
    return _by_test_set(table.get(STRATEGIES.get(question.decoding, ""), {}), question)


def _one_metric(table: Mapping[str, Any], question: Question) -> Any:
    return table.get(question.system, {}).get(question.test_set) if question.metric == "present.f1@o" else None


_LOOKUPS: dict[str, Callable[[Mapping[str, Any], Question], Any]] = {
    "present_exhaustive": _present,
    "absent_exhaustive": _by_test_set,
    "stackex": _one_test_set,
    "self_terminating_present": _by_strategy,
    "ablation_f1@o": _one_metric,
}
