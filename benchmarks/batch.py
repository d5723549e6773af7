"""`keyseq generate` on 100,000 generated documents: one process, two workers and Ray write the same; how fast."""

import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.figures import Figure
from benchmarks.generate import documents
from keyseq.data.formats import read_documents, write_documents
from keyseq.systems import DEFAULT

DOCUMENTS, QUICK = 100_000, 400
WORDS = 40  # a title and a sentence or two
NETWORK_DOCUMENTS, NETWORK_QUICK = 1_024, 64
ABSTRACT = 180  # words
WORKERS = 2


@dataclass(frozen=True, slots=True)
class Watched:
    """How long a command took, and the most that a process it started held."""

    seconds: float
    megabytes: float


def generate(*arguments: str) -> Watched:
    """Run the command, looking at the memory of its largest worker."""
    started, peak = time.perf_counter(), 0
    with subprocess.Popen([sys.executable, "-m", "keyseq", "generate", *arguments]) as process:
        while process.poll() is None:
            peak = max(peak, _largest(process.pid))
            time.sleep(0.25)
    if process.returncode:
        raise SystemExit(process.returncode)
    return Watched(time.perf_counter() - started, peak / 10**6)


def _largest(pid: int) -> int:
    """The resident bytes of the largest process that this one has started, itself if there is none."""
    try:
        root = psutil.Process(pid)
        return max(int(process.memory_info().rss) for process in root.children(recursive=True) or [root])
    except psutil.Error:  # one has ended since
        return 0


def _digest(files: Iterable[Path]) -> str:
    """Of the files one after the other."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def compare(folder: Path, count: int) -> list[Figure]:
    """The three ways on one corpus; other bytes from one of them end the benchmark."""
    corpus, one = folder / "corpus.jsonl", folder / "one.jsonl"
    write_documents(documents(count, seed=1, words=WORDS), corpus)
    tfidf = [str(corpus), "--system", "tfidf"]
    alone = generate(*tfidf, "--out", str(one))
    figures = [_speed(f"batch: {count:,} documents by one process", count, alone, alone)]
    ways = {"--workers": [], "--ray local --workers": ["--ray", "local"]}
    for name, flags in ways.items():
        out = folder / name.replace(" ", "")
        done = generate(*tfidf, *flags, "--workers", str(WORKERS), "--out", str(out))
        if _digest(sorted(out.glob("part-*"))) != _digest([one]):
            raise SystemExit(f"{name} {WORKERS} wrote other bytes than one process")
        figures.append(_speed(f"batch: the same by {name} {WORKERS}, byte-identical", count, done, alone))
    return figures


def _speed(name: str, count: int, done: Watched, alone: Watched) -> Figure:
    ratio = alone.seconds / done.seconds
    return Figure(name=name, value=count / done.seconds, unit="documents/s", baseline="one process", ratio=ratio)


def plan(folder: Path, count: int) -> list[Figure]:
    """What a plan for many abstracts needs: speed and memory of one worker, bytes, and how fast the reader is."""
    corpus = folder / "abstracts.jsonl"
    write_documents(documents(count, seed=2, words=ABSTRACT), corpus)
    started = time.perf_counter()
    read = sum(1 for _ in read_documents(corpus))
    reading = read / (time.perf_counter() - started)
    figures = [
        Figure(name="batch: abstracts read by the driver", value=reading, unit="documents/s"),
        Figure(name="batch: bytes in", value=corpus.stat().st_size / count, unit="bytes/document"),
    ]
    for system in (DEFAULT, "tfidf"):
        out = folder / system
        done = generate(str(corpus), "--system", system, "--workers", "1", "--out", str(out))
        size = sum(part.stat().st_size for part in out.glob("part-*"))
        figures += [
            Figure(name=f"batch: {system}, one worker with its start", value=count / done.seconds, unit="documents/s"),
            Figure(name=f"batch: {system}, memory of a worker", value=done.megabytes, unit="MB"),
            Figure(name=f"batch: {system}, bytes out", value=size / count, unit="bytes/document"),
        ]
    return figures


def run(*, quick: bool) -> list[Figure]:
    """Compare, and measure for the plan."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        abstracts = plan(folder, NETWORK_QUICK if quick else NETWORK_DOCUMENTS)
        return compare(folder, QUICK if quick else DOCUMENTS) + abstracts
