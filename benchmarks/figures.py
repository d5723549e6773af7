"""A measured figure, how it is taken, and how figures are shown and kept."""

import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from keyseq.files import write_whole
from keyseq.tables import render
from keyseq.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured quantity; `ratio` is against `baseline`, which was measured in the same run.

    `before` is the ratio against an earlier checkout, `share` that of the speed of a large matrix product, and `runs`
    are the values of all runs, where there were several, by what was measured.
    """

    name: str
    value: float
    unit: str
    baseline: str = ""
    ratio: float | None = None
    before: float | None = None
    share: float | None = None
    runs: Mapping[str, Sequence[float]] = field(default_factory=dict)


def fastest(work: Callable[[], object], repeats: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the fastest of several runs: what the machine can do when nothing else disturbs it."""
    seconds = []
    for _ in range(repeats):
        started = clock()
        work()
        seconds.append(clock() - started)
    return min(seconds)


def show(figures: Sequence[Figure]) -> str:
    """Lay figures out as a table."""
    columns: dict[str, Callable[[Figure], str]] = {
        "figure": lambda one: one.name,
        "value": lambda one: f"{one.value:,.4g}",
        "unit": lambda one: one.unit,
        "ratio": lambda one: _times(one.ratio),
        "against": lambda one: one.baseline,
    }
    if any(figure.before for figure in figures):
        columns["against before"] = lambda one: _times(one.before)
    if any(figure.share for figure in figures):
        columns["of the GEMM peak"] = lambda one: f"{100 * one.share:.0f} %" if one.share else ""
    return render([*columns], [[column(figure) for column in columns.values()] for figure in figures])


def _times(ratio: float | None) -> str:
    return f"{ratio:.3g} ×" if ratio else ""


def keep(figures: Sequence[Figure], path: Path) -> None:
    """Write figures as JSON, with the machine they were taken on."""
    machine = {"python": platform.python_version(), "cores": os.cpu_count(), "processor": platform.machine()}
    with write_whole(path) as file:
        rows = [asdict(figure) for figure in figures]
        json.dump({"keyseq": __version__, "machine": machine, "figures": rows}, file, indent=1)
        file.write("\n")
