"""How long the command line takes to start, as multiples of `python -c pass`, and what it imports."""

import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.figures import Figure

PAPER = Path(__file__).parent.parent / "examples" / "paper.txt"
PASS = "python -c pass"
COMMANDS = {
    "start: keyseq --help": ["-m", "keyseq", "--help"],
    "start: keyseq generate, one abstract": ["-m", "keyseq", "generate", str(PAPER)],
}
SHOWN = 6  # packages


def run(quick: bool = False) -> list[Figure]:
    """Measure the median of several runs, those of Python alone in between."""
    repeats = 3 if quick else 15
    seconds: dict[str, list[float]] = {name: [] for name in (PASS, *COMMANDS)}
    for _ in range(repeats):
        seconds[PASS].append(_seconds(["-c", "pass"]))
        for name, arguments in COMMANDS.items():
            seconds[name].append(_seconds(arguments))
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    figures = [Figure(name=f"start: {PASS}", value=1000 * medians[PASS], unit="ms")]
    figures += [
        Figure(name=name, value=1000 * medians[name], unit="ms", baseline=PASS, ratio=medians[name] / medians[PASS])
        for name in COMMANDS
    ]
    return figures + _imports(COMMANDS["start: keyseq generate, one abstract"])


def _seconds(arguments: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - started


def _imports(arguments: list[str]) -> list[Figure]:
    """The packages whose own modules take longest to import."""
    run = subprocess.run([sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True)
    taken: Counter[str] = Counter()
    for line in run.stderr.splitlines():
        _, _, fields = line.partition("import time:")
        own, _, name = (field.strip() for field in fields.split("|")) if fields.count("|") == 2 else ("", "", "")
        if own.isdecimal():
            taken[name.split(".")[0]] += int(own)
    return [
        Figure(name=f"import for generate: {name}", value=microseconds / 1000, unit="ms")
        for name, microseconds in taken.most_common(SHOWN)
    ]
