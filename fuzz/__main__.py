"""`python -m fuzz TARGET [SECONDS]`: atheris looks for bytes that break a target; what it finds goes to its corpus."""

import sys
from pathlib import Path

import atheris

SLOW = 2  # seconds that a case may take


def main(name: str, seconds: str) -> None:
    """Run a target until something breaks or time is up."""
    with atheris.instrument_imports(include=["keyseq"]):
        from fuzz.targets import TARGETS
    known = Path(__file__).parent / "corpus" / name
    known.mkdir(parents=True, exist_ok=True)
    found = Path("build") / "fuzz" / name  # what it has learnt, which is not kept
    found.mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={seconds}", f"-timeout={SLOW}", "-rss_limit_mb=1024", "-max_len=4096", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={known}/", str(found), str(known)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "600")
