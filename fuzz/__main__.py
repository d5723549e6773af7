"""`python -m fuzz TARGET [SECONDS]`: atheris looks for bytes that break a target; what it finds goes to its corpus."""

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import atheris

SLOW = 2  # seconds of the processor that a case may take
STUCK = 60  # seconds of the clock, on a machine that may be busy


class Slow(Exception):  # noqa: N818  # a finding, as the name of a class of cases
    """A case took too long."""


def measured(target: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """The target, which fails for a case that takes too long."""

    def run(content: bytes) -> None:
        start = time.process_time()
        target(content)
        if (took := time.process_time() - start) > SLOW:
            raise Slow(f"{took:.1f} seconds")

    return run


def main(name: str, seconds: str) -> None:
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
    limits = [f"-max_total_time={seconds}", f"-timeout={STUCK}", "-rss_limit_mb=1024", "-max_len=16384"]
    report = ["-verbosity=0", "-print_final_stats=1"]
    atheris.Setup(
        [sys.argv[0], *limits, *report, f"-artifact_prefix={known}/", str(found), str(known)], measured(TARGETS[name])
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "600")
