"""The definition of an experiment in TOML: systems, test sets, decodings and metrics."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from importlib import resources
from typing import Any, cast

from keyseq.errors import KeyseqError, nearest

KINDS = ("scores", "statistics", "diversity", "grid")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A system of a table.

    With `config`, a network to train with these settings and overrides; with `learns`, a ranker to train with
    its overrides; without either, a built-in system of this name. `published` is its row in the paper if that has
    another name. A network that starts from another one names the settings of that as `start`, which is trained first;
    `budget` is the share of the steps that it takes itself. `combined` are the settings of a combined system that is
    made with the network, from validation documents. `note` tells what keeps it from being compared with its published
    row.
    """

    name: str
    config: str | None = None
    settings: tuple[str, ...] = ()
    start: str = ""
    budget: float = 1.0
    combined: tuple[str, ...] = ()
    learns: str | None = None
    baseline: bool = False
    published: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """Settings of the experiments that are not tables of scores."""

    states: int = 2_000
    steps: tuple[int, ...] = (1, 2, 3)
    seed: int = 3435
    budget: float = 1.0
    documents: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """A table or figure of the paper. `test_sets` name the corpus that their systems are trained on.

    `first` is the maximum number of documents of a test set.
    """

    name: str
    title: str
    table: str
    kind: str
    test_sets: Mapping[str, str]
    first: Mapping[str, int] = field(default_factory=dict)
    published: str = ""
    metrics: tuple[str, ...] = ()
    decodings: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    systems: tuple[Subject, ...] = ()
    grid: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    analysis: Analysis = field(default_factory=Analysis)

    def only(self, names: list[str]) -> "Experiment":
        """The experiment restricted to some of its systems; all if no names are given."""
        known = [subject.name for subject in self.systems]
        for name in names:
            if name not in known:
                raise KeyseqError(f"{self.name} has no system '{name}'{nearest(name, known)}")
        chosen = tuple(subject for subject in self.systems if not names or subject.name in names)
        return replace(self, systems=chosen, others=() if names else self.others)


def available() -> list[str]:
    """The names of all experiments, in the order of the paper."""
    names = {file.name.removesuffix(".toml") for file in _files() if file.name.endswith(".toml")}
    return [*(name for name in _ORDER if name in names), *sorted(names - set(_ORDER))]


_ORDER = (
    "statistics",
    "present",
    "stackex",
    "self-terminating",
    "ablation",
    "absent",
    "diversity",
    "lambdas",
    "decodings",
    "decodings-stackex",
)


def load(name: str) -> Experiment:
    """Read an experiment by its name."""
    if name not in available():
        raise KeyseqError(f"unknown experiment '{name}'{nearest(name, available())}")
    text = (resources.files("keyseq.experiments") / f"{name}.toml").read_text(encoding="utf-8")
    try:
        return parse(name, tomllib.loads(text))
    except KeyseqError as error:
        raise KeyseqError(f"{name}.toml: {error}") from None


def parse(name: str, values: dict[str, Any]) -> Experiment:
    """Build an experiment from the content of a TOML file; unknown keys and kinds are refused."""
    systems = tuple(
        _build(Subject, {"name": system, **_tuples(given)}) for system, given in values.pop("systems", {}).items()
    )
    analysis = _build(Analysis, _tuples(values.pop("analysis", {})))
    grid = _tuples(values.pop("grid", {}))
    experiment = _build(
        Experiment, {"name": name, **_tuples(values), "systems": systems, "analysis": analysis, "grid": grid}
    )
    if experiment.kind not in KINDS:
        raise KeyseqError(f"unknown kind '{experiment.kind}'{nearest(experiment.kind, KINDS)}")
    return cast(Experiment, experiment)


def _build(kind: Any, values: Mapping[str, Any]) -> Any:  # one of the classes above
    known = [entry.name for entry in fields(kind)]
    for key in values:
        if key not in known:
            raise KeyseqError(f"unknown key '{key}'{nearest(key, known)}")
    return kind(**values)


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}


def _files() -> Any:  # importlib's Traversable moved between Python versions
    return resources.files("keyseq.experiments").iterdir()
