"""The server beside direct predictions: `python -m benchmarks serving`, or `python -m benchmarks.serving --minutes 10`.

It serves the default system if that is a network; else a network of the paper's sizes with random weights, whose
sequences run to their full length. Clients are on the same machine and share its cores.
"""

import argparse
import contextlib
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.clients import Load, message, press
from benchmarks.figures import Figure, fastest, show
from benchmarks.generate import documents
from benchmarks.served import serving
from benchmarks.soak import soak
from keyseq.systems import DEFAULT, SYSTEMS, load
from keyseq.types import System

WORDS = 180  # of a document
CLIENTS = (1, 8, 64)
OVERLOAD = 640
AT_ONCE = 64  # documents of a direct call
SMALL = ("model.vocabulary=2000", "model.hidden_size=32")
MODES = {"batching": (), "no batching": ("--batch", "1", "--gather", "0")}


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


def main() -> None:
    """Soak for as long as it is told, and say what was not as it should be."""
    parser = argparse.ArgumentParser("python -m benchmarks.serving", description=soak.__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--system", help="the name or folder of a system [default: as in the benchmark]")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        name = arguments.system or stack.enter_context(_system(quick=False))
        print(show(list(soak(name, arguments.minutes))), end="", flush=True)


if __name__ == "__main__":
    main()
