"""`python -m fuzz TARGET [SECONDS]`: atheris looks for bytes that break a target; what it finds goes to its corpus.

Seconds are of the processor, for a target as for a case: other work on the machine shortens no search, and makes no
case slow.
"""

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris

SLOW = 2  # seconds that a case may take
STUCK = 20  # seconds after which it is broken off
# bytes of a case: of these, many short ones find more than few long ones
LONGEST = {"tokenize": 2048, "present": 2048, "score": 2048}


class Slow(Exception):  # noqa: N818  # a finding, as the name of a class of cases
    """A case took too long."""


class Measured:
    """A target that fails for a case that takes too long, and ends the search when its time is up."""

    def __init__(self, target: Callable[[bytes], None], seconds: float) -> None:
        self._target, self._seconds = target, seconds
        self._begun = time.process_time()
        self._cases, self._slowest = 0, 0.0
        signal.signal(signal.SIGPROF, self._stuck)

    def __call__(self, content: bytes) -> None:
        """Try a case."""
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, STUCK)
        self._target(content)
        signal.setitimer(signal.ITIMER_PROF, 0)
        now = time.process_time()
        self._cases, self._slowest = self._cases + 1, max(self._slowest, now - start)
        if now - start > SLOW:
            raise Slow(f"{now - start:.1f} seconds")
        if now - self._begun > self._seconds:
            print(f"{self._cases:,} cases in {now - self._begun:.0f} s, the slowest {self._slowest:.2f} s", flush=True)
            os._exit(0)  # libFuzzer knows no end by the time of the processor

    def _stuck(self, *_: Any) -> None:
        raise Slow(f"more than {STUCK} seconds")


def main(name: str, seconds: float) -> None:
    """Run a target until something breaks or time is up."""
    with atheris.instrument_imports(include=["keyseq", "bibtexparser", "rispy", "tomllib"]):
        from fuzz.targets import BEGINNINGS, TARGETS

        for beginning in BEGINNINGS:  # what is imported when it is needed is instrumented too, and takes no case's time
            TARGETS[name](beginning + b" ")
    known = Path(__file__).parent / "corpus" / name
    known.mkdir(parents=True, exist_ok=True)
    found = Path("build") / "fuzz" / name  # what it has learnt, which is not kept
    found.mkdir(parents=True, exist_ok=True)
    if name == "graph":
        from keyseq.systems.hub import PRETRAINED

        shutil.copy(PRETRAINED / "questions-network" / "encoder.onnx", found)
    limits = [
        "-timeout=1000000",
        "-report_slow_units=1000000",
        "-rss_limit_mb=1024",
        f"-max_len={LONGEST.get(name, 16384)}",
    ]
    options = [sys.argv[0], *limits, "-verbosity=0", f"-artifact_prefix={known}/", str(found), str(known)]
    atheris.Setup(options, Measured(TARGETS[name], seconds))
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 600)
