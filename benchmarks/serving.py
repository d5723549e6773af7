"""The server beside direct predictions: `python -m benchmarks serving`, or `python -m benchmarks.serving --minutes 10`.

It serves the default system if that is a network; else a network of the paper's sizes with random weights, whose
sequences run to their full length. Clients are on the same machine and share its cores.
"""

import argparse
import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.clients import Load, message, press
from benchmarks.figures import Figure, fastest, show
from benchmarks.generate import documents
from keyseq.systems import DEFAULT, SYSTEMS, load
from keyseq.types import System

WORDS = 180  # of a document
CLIENTS = (1, 8, 64)
OVERLOAD = 640
SOAK_PARTS = 5  # parts of a soak
AT_ONCE = 64  # documents of a direct call
SMALL = ("model.vocabulary=2000", "model.hidden_size=32")
MODES = {"batching": (), "no batching": ("--batch", "1", "--gather", "0")}


@dataclass(frozen=True)
class Server:
    """A server's process and its port."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def memory(self) -> float:
        """MB that it holds now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s*(\d+) kB", status)
        return int(found[1]) / 1024 if found else float("nan")


@contextlib.contextmanager
def serving(system: str, *options: str) -> Iterator[Server]:
    """Run `keyseq serve` on a free port, and stop it as an operator does."""
    with tempfile.NamedTemporaryFile("w+") as log:
        command = [sys.executable, "-m", "keyseq", "serve", system, "--port", "0", *options]
        process = subprocess.Popen(command, stderr=log)
        try:
            yield Server(process, _port(process, Path(log.name)))
        finally:
            process.terminate()
            code = process.wait(60)
        if code != 0:
            raise RuntimeError(f"the server left with exit code {code}")


def _port(process: subprocess.Popen[bytes], log: Path) -> int:
    while process.poll() is None:
        content = log.read_text(encoding="utf-8")
        found = re.search(r"serves http://127\.0\.0\.1:(\d+)/", content)
        if found and "startup complete" in content:
            return int(found[1])
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start: {log.read_text(encoding='utf-8')}")


def run(quick: bool = False) -> list[Figure]:
    """Measure speed, overload and memory."""
    seconds = 1.0 if quick else 6.0
    with _system(quick) as name:
        system = load(name)
        system.predict(_texts(AT_ONCE))
        figures: list[Figure] = []
        for mode, options in MODES.items():
            with serving(name, *options) as server:
                for clients in CLIENTS:
                    figures += _compared(
                        f"{clients} clients, {mode}", partial(press, server.port, clients, seconds, _messages()), system
                    )
        return [*figures, *_overload(name, seconds), *soak(name, 0.05 if quick else 5.0)]


@contextlib.contextmanager
def _system(quick: bool) -> Iterator[str]:
    """The name or folder of a network to serve."""
    if SYSTEMS[DEFAULT].absent and not quick:
        yield DEFAULT
        return
    from benchmarks.decoding import untrained
    from keyseq.runtime.exporting import export

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "network")
        export(untrained(_texts(100), SMALL if quick else ()), path, "int8")
        yield str(path)


def _texts(count: int, words: int = WORDS) -> list[str]:
    return [document.text for document in documents(count, seed=5, words=words)]


def _messages() -> list[bytes]:
    return [message(text) for text in _texts(256)]


def _direct(system: System) -> float:
    """Documents per second of the library itself, on all cores, in this process."""
    texts = _texts(AT_ONCE)
    return AT_ONCE / fastest(lambda: system.predict(texts), repeats=1)


def _compared(name: str, clients: Callable[[], Load], system: System) -> Iterator[Figure]:
    """The speed of the server between two measurements of the library, as other work on the machine comes and goes."""
    before = _direct(system)
    load = clients()
    direct = (before + _direct(system)) / 2
    yield Figure(name=f"{name}: direct predict before and after", value=direct, unit="documents/s")
    yield Figure(name=name, value=load.rate, unit="requests/s", baseline="direct predict", ratio=load.rate / direct)
    yield Figure(name=f"{name}, p50", value=load.percentile(50), unit="ms")
    yield Figure(name=f"{name}, p99", value=load.percentile(99), unit="ms")


def _overload(name: str, seconds: float) -> Iterator[Figure]:
    """Ten times as many clients as it should bear, and then few again."""
    with serving(name) as server:
        flood = press(server.port, OVERLOAD, seconds, _messages())
        after = press(server.port, 8, seconds / 2, _messages())
    yield Figure(name=f"{OVERLOAD} clients: answered 200", value=flood.statuses[200], unit="requests")
    yield Figure(name=f"{OVERLOAD} clients: answered 503", value=flood.statuses[503], unit="requests")
    others = sum(flood.statuses.values()) - flood.statuses[200] - flood.statuses[503]
    yield Figure(name=f"{OVERLOAD} clients: other answers, or none", value=others + flood.lost, unit="requests")
    yield Figure(name=f"{OVERLOAD} clients: p99 of 200", value=flood.percentile(99), unit="ms")
    yield Figure(name="8 clients afterwards: not answered 200", value=sum(after.statuses.values()) - after.statuses[200]
                 + after.lost, unit="requests")  # fmt: skip
    yield Figure(name="8 clients afterwards: p99", value=after.percentile(99), unit="ms")


def soak(name: str, minutes: float) -> Iterator[Figure]:
    """Requests of mixed sizes for a while, and the server's memory after each part of it.

    It grows for about a minute, until requests of each size have met in each thread; from then on it should not.
    """
    total, memory, messages = Load(), [], _mixed()
    with serving(name) as server:
        for _ in range(SOAK_PARTS):
            load = press(server.port, 8, 60 * minutes / SOAK_PARTS, messages)
            total.statuses += load.statuses
            total.lost += load.lost
            memory.append(server.memory)
    failed = sum(total.statuses.values()) - total.statuses[200] + total.lost
    yield Figure(name=f"soak of {minutes:g} min: answered", value=total.statuses[200], unit="requests")
    yield Figure(name=f"soak of {minutes:g} min: not answered 200", value=failed, unit="requests")
    for number, held in enumerate(memory, start=1):
        yield Figure(
            name=f"soak: memory after {number} of {SOAK_PARTS} parts",
            value=held,
            unit="MB",
            baseline="after the first part",
            ratio=held / memory[0],
        )


def _mixed() -> list[bytes]:
    """Single documents and batches, from a sentence to a paper."""
    sizes: Sequence[tuple[int, int]] = [(20, 1), (180, 1), (180, 8), (60, 16), (1500, 1), (180, 1), (4000, 1)]
    return [message(*_texts(count, words)) for words, count in sizes]


def main() -> None:
    """Soak for as long as it is told."""
    parser = argparse.ArgumentParser("python -m benchmarks.serving", description=soak.__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--system", help="the name or folder of a system [default: as in the benchmark]")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        name = arguments.system or stack.enter_context(_system(quick=False))
        print(show(list(soak(name, arguments.minutes))), end="")


if __name__ == "__main__":
    main()
