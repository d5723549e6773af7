"""A measured figure, how it is taken, and how figures are shown and kept."""

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from keyseq.files import write_whole
from keyseq.tables import render
from keyseq.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured quantity; `ratio` is against `baseline`, which was measured in the same run."""

    name: str
    value: float
    unit: str
    baseline: str = ""
    ratio: float | None = None


def fastest(work: Callable[[], object], repeats: int = 5) -> float:
    """Seconds of the fastest of several runs: what the machine can do when nothing else disturbs it."""
    seconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def show(figures: Sequence[Figure]) -> str:
    """Lay figures out as a table."""
    rows = [
        [
            figure.name,
            f"{figure.value:,.4g}",
            figure.unit,
            f"{figure.ratio:.3g} ×" if figure.ratio else "",
            figure.baseline,
        ]
        for figure in figures
    ]
    return render(["figure", "value", "unit", "ratio", "against"], rows)


def keep(figures: Sequence[Figure], path: Path) -> None:
    """Write figures as JSON, with the machine they were taken on."""
    machine = {"python": platform.python_version(), "cores": os.cpu_count(), "processor": platform.machine()}
    with write_whole(path) as file:
        rows = [asdict(figure) for figure in figures]
        json.dump({"keyseq": __version__, "machine": machine, "figures": rows}, file, indent=1)
        file.write("\n")
