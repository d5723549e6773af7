"""`keyseq train` on half a million generated documents: how fast they are encoded, and the memory that it holds."""

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.figures import Figure
from benchmarks.generate import documents
from keyseq.data.formats import write_documents

DOCUMENTS, QUICK = 500_000, 2_000
STEPS = 10
ALLOWED_MEGABYTES = 3_000

ENCODE = """
import sys
from pathlib import Path
from keyseq.config import load_settings
from keyseq.data.preparation import Words, prepare

settings = load_settings("catseq")
prepare([Path(sys.argv[1])], settings, Words(size=settings.model.vocabulary), Path(sys.argv[2]))
"""


@dataclass(frozen=True, slots=True)
class Watched:
    """How long a command took, and the most that its processes held together."""

    seconds: float
    megabytes: float


def watch(command: list[str]) -> Watched:
    """Run a command, looking at its memory four times a second."""
    started, peak = time.perf_counter(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        root = psutil.Process(process.pid)
        while process.poll() is None:
            peak = max(peak, _resident(root))
            time.sleep(0.25)
    if process.returncode:
        raise SystemExit(process.returncode)
    return Watched(time.perf_counter() - started, peak / 10**6)


def _resident(root: psutil.Process) -> int:
    """The resident memory of a process and of those it has started; what they share counts more than once."""
    total = 0
    for process in (root, *root.children(recursive=True)):
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def measure(count: int) -> list[Figure]:
    """Encode, then train from the corpus that is there."""
    with tempfile.TemporaryDirectory() as folder:
        train, valid = (Path(folder) / f"{name}.jsonl" for name in ("train", "valid"))
        write_documents(documents(count, seed=1), train)
        write_documents(documents(50, seed=2), valid)
        encoding = watch([sys.executable, "-c", ENCODE, str(train), f"{folder}/corpus"])
        command = [sys.executable, "-m", "keyseq", "train", "catseq", "--train", str(train), "--valid", str(valid)]
        command += ["--corpus", f"{folder}/corpus", "--set", f"training.steps={STEPS}", "--out", f"{folder}/out"]
        training = watch(command)
        mapped = sum(file.stat().st_size for file in Path(folder).rglob("*.arrow")) / 10**6
    return [
        Figure(name=f"corpus: {count:,} documents encoded", value=count / encoding.seconds, unit="documents/s"),
        _memory("corpus: memory while encoding", encoding),
        _memory("corpus: memory while training", training),
        # what a whole epoch adds at most, if the system has room for it: these steps have read little of the file
        Figure(name="corpus: the mapped file", value=mapped, unit="MB"),
    ]


def _memory(name: str, watched: Watched) -> Figure:
    baseline = f"{ALLOWED_MEGABYTES:,} MB allowed"
    return Figure(
        name=name, value=watched.megabytes, unit="MB", baseline=baseline, ratio=watched.megabytes / ALLOWED_MEGABYTES
    )


def run(*, quick: bool) -> list[Figure]:
    """Measure on half a million documents, or on very few."""
    return measure(QUICK if quick else DOCUMENTS)
