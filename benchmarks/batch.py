"""`keyseq generate` on generated abstracts by one process, by workers and by Ray: the same bytes, and how fast.

    python -m benchmarks.batch --documents 100000 --system tfidf

Each way is a command of its own. Its steady speed is taken between the parts that it writes, without its start: what
the first parts took longer than that.
"""

import argparse
import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.figures import Figure, show
from benchmarks.generate import documents
from keyseq.data.formats import read_documents, write_documents
from keyseq.systems import DEFAULT
from keyseq.systems.recipe import BATCH

DOCUMENTS, QUICK = 40 * BATCH, 6 * BATCH
PART = BATCH  # documents: whole batches of a network, so that it sees the same ones in every way
TOLD = 10.0  # seconds between two lines of progress
WAYS = {
    "one worker": ("--workers", "1"),
    "two workers": ("--workers", "2"),
    "Ray, two actors": ("--ray", "local", "--workers", "2"),
}
WORKERS = ("spawn_main", "_Service")  # what the command lines of workers and actors hold


@dataclass(frozen=True, slots=True)
class Watched:
    """How long a command took, and the most that one of its workers held, or itself if it has none."""

    begun: float
    seconds: float
    megabytes: float


def generate(*arguments: str, out: Path, count: int) -> Watched:
    """Run the command, looking at the memory of its workers, and tell how far it is."""
    begun, peak, told = time.time(), 0, time.monotonic()
    command = [sys.executable, "-m", "keyseq", "generate", *arguments, "--out", str(out)]
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            peak = max(peak, _largest(process.pid))
            time.sleep(0.25)
            if time.monotonic() - told > TOLD:
                told = time.monotonic()
                done = f", {PART * len(list(out.glob('part-*'))):,} of {count:,} documents" if out.is_dir() else ""
                sys.stderr.write(f"  {out.name}: {time.time() - begun:.0f} s{done}\n")
    if process.returncode:
        raise SystemExit(process.returncode)
    return Watched(begun, time.time() - begun, peak / 10**6)


def _largest(pid: int) -> int:
    """The resident bytes of the largest worker of a process, or its own if it has none."""
    try:
        root = psutil.Process(pid)
        found = [int(process.memory_info().rss) for process in root.children(recursive=True) if _works(process)]
        return max(found, default=0) or int(root.memory_info().rss)
    except psutil.Error:  # one has ended since
        return 0


def _works(process: psutil.Process) -> bool:
    line = " ".join(process.cmdline())
    return any(mark in line for mark in WORKERS)


def compare(folder: Path, count: int, system: str) -> Iterator[Figure]:
    """One corpus in every way; other bytes from one of them end the benchmark."""
    corpus, one = folder / "corpus.jsonl", folder / "one process"
    write_documents(documents(count, seed=1), corpus)
    yield from _reading(corpus, count)
    arguments = (str(corpus), "--system", system)
    alone = generate(*arguments, "--json", out=one, count=count)
    speed, unit = count / alone.seconds, "documents/s"
    yield Figure(name="batch: one process, start included", value=speed, unit=unit)
    yield Figure(name="batch: one process, memory", value=alone.megabytes, unit="MB")
    yield Figure(name="batch: bytes out", value=one.stat().st_size / count, unit="bytes/document")
    steady: dict[str, float] = {}
    for name, flags in WAYS.items():
        out = folder / name
        done = generate(*arguments, *flags, "--part-size", str(PART), out=out, count=count)
        if _digest(sorted(out.glob("part-*"))) != _digest([one]):
            raise SystemExit(f"{name} wrote other bytes than one process")
        ended = sorted(part.stat().st_mtime for part in out.glob("part-*"))
        steady[name], start = pace(ended, done.begun, count, hands=int(flags[-1]))
        baseline, *_ = steady
        ratio = steady[name] / steady[baseline]
        yield Figure(name=f"batch: {name}, steady", value=steady[name], unit=unit, baseline=baseline, ratio=ratio)
        yield Figure(name=f"batch: {name}, start", value=start, unit="s")
        yield Figure(name=f"batch: {name}, start included", value=count / done.seconds, unit=unit)
        yield Figure(name=f"batch: {name}, memory of one", value=done.megabytes, unit="MB")


def pace(ended: Sequence[float], begun: float, count: int, hands: int) -> tuple[float, float]:
    """Documents per second after each hand has made its first part, and the seconds that the start took besides.

    `ended` are the times at which parts were there, in order; the last one may be smaller.
    """
    first = ended[hands - 1]
    rate = (count - hands * PART) / (ended[-1] - first)
    return rate, first - begun - hands * PART / rate


def _reading(corpus: Path, count: int) -> Iterator[Figure]:
    """How fast the process reads that all documents go through, and how much."""
    started = time.perf_counter()
    read = sum(1 for _ in read_documents(corpus))
    yield Figure(name="batch: read", value=read / (time.perf_counter() - started), unit="documents/s")
    yield Figure(name="batch: bytes in", value=corpus.stat().st_size / count, unit="bytes/document")


def _digest(files: Iterable[Path]) -> str:
    """Of the files one after the other."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def run(*, quick: bool = False, count: int | None = None, system: str = DEFAULT) -> list[Figure]:
    """Compare the ways on a corpus of so many documents."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for figure in compare(Path(folder), count or (QUICK if quick else DOCUMENTS), system):
            sys.stderr.write(f"  {figure.name}: {figure.value:,.4g} {figure.unit}\n")  # should a later way fail
            figures.append(figure)
    return figures


def main() -> None:
    """Compare on as many documents, and by the system, that are named."""
    parser = argparse.ArgumentParser("python -m benchmarks.batch", description=compare.__doc__)
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help=f"how many [default: {DOCUMENTS:,}]")
    parser.add_argument("--system", default=DEFAULT, help=f"the name or folder of a system [default: {DEFAULT}]")
    arguments = parser.parse_args()
    if arguments.documents < QUICK:
        parser.error(f"--documents: two workers show no steady speed on fewer than {QUICK:,}")
    print(show(run(count=arguments.documents, system=arguments.system)), end="")


if __name__ == "__main__":
    main()
