"""How long the command line takes to start, as multiples of `python -c pass`, and what it imports.

The default system is also compared with its network alone, and every command with an earlier checkout, if one is given:
`python -m benchmarks startup --before PATH`. Bytecode is cached in a temporary folder, as in an installed package, and
each command runs once before it is measured; commands take turns, so that other load on the machine affects all.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.figures import Figure

HERE = Path(__file__).parent.parent
PAPER = HERE / "examples" / "paper.txt"
PASS = "python -c pass"
DEFAULT, NETWORK = "start: keyseq generate, one abstract", "start: the same with its network alone"
COMMANDS = {
    "start: keyseq --help": ["-m", "keyseq", "--help"],
    NETWORK: ["-m", "keyseq", "generate", str(PAPER), "--system", "scholar-network"],
    DEFAULT: ["-m", "keyseq", "generate", str(PAPER)],
}
# with an earlier checkout: commands that every version has, the last ones with the same network and without any
FOLDER = "start: keyseq generate --system FOLDER, the network of scholar"
METHOD = "start: keyseq generate --system textrank"
COMPARED = {
    "start: keyseq --help": COMMANDS["start: keyseq --help"],
    DEFAULT: COMMANDS[DEFAULT],
    FOLDER: [*COMMANDS[DEFAULT], "--system", str(HERE / "src/keyseq/pretrained/scholar-network")],
    METHOD: [*COMMANDS[DEFAULT], "--system", "textrank"],
}
SHOWN = 6  # packages


def run(quick: bool = False, before: Path | None = None) -> list[Figure]:
    """Measure the median of several runs of each command, in turn."""
    repeats = 3 if quick else 15
    taken = medians({PASS: ["-c", "pass"], **COMMANDS}, repeats)
    figures = [Figure(name=f"start: {PASS}", value=1000 * taken[PASS], unit="ms")]
    figures += [compared(name, PASS, taken) for name in COMMANDS]
    figures.append(compared(DEFAULT, NETWORK, taken))
    if before is not None:
        figures += beside(before, COMPARED, repeats)
    with _cached() as environment:
        return [*figures, *_imports(COMMANDS[DEFAULT], environment)]


def checkout(path: str) -> Path:
    """The folder of an earlier checkout, as an argument of the command line."""
    if not (Path(path) / "src" / "keyseq").is_dir():
        raise argparse.ArgumentTypeError(f"{path}: not a checkout of keyseq: it has no src/keyseq")
    return Path(path)


def beside(before: Path, commands: Mapping[str, list[str]], repeats: int) -> list[Figure]:
    """The start of commands from this checkout, each compared with the same command from an earlier checkout."""
    both = {where: {name: f"{name}, in {where}" for name in commands} for where in (HERE, before)}
    labelled = {label: commands[name] for names in both.values() for name, label in names.items()}
    sources = {label: where / "src" for where, names in both.items() for label in names.values()}
    taken = medians(labelled, repeats, sources)
    return [compared(both[HERE][name], both[before][name], taken) for name in commands]


def medians(
    commands: Mapping[str, list[str]], repeats: int, sources: Mapping[str, Path] | None = None
) -> dict[str, float]:
    """The seconds that each command takes, the median of several runs, in turn.

    `sources` are folders from which commands import keyseq; by default, the installed one.
    """
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    with _cached() as environment:
        for number in range(1 + repeats):
            for name, arguments in commands.items():
                source = {"PYTHONPATH": str(sources[name].resolve())} if sources else {}
                taken = _seconds(arguments, environment | source)
                if number:  # the first run writes the bytecode
                    seconds[name].append(taken)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def compared(name: str, baseline: str, taken: Mapping[str, float]) -> Figure:
    """The seconds that a command takes, beside another's."""
    ratio = taken[name] / taken[baseline]
    return Figure(name=name, value=1000 * taken[name], unit="ms", baseline=baseline, ratio=ratio)


@contextmanager
def _cached() -> Iterator[dict[str, str]]:
    """An environment whose bytecode is cached."""
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        yield environment | {"PYTHONPYCACHEPREFIX": bytecode}


def _seconds(arguments: list[str], environment: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - started


def _imports(arguments: list[str], environment: dict[str, str]) -> list[Figure]:
    """The packages whose own modules take longest to import."""
    _seconds(arguments, environment)  # writes the bytecode
    command = [sys.executable, "-X", "importtime", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
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
