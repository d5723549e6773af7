"""Let the disk be full for every command that writes: a sentence, no input and no output lost, and then it completes.

`python -m release.full_disks [--each 2] [VERB …]`: no file may grow beyond a size that one of the outputs has, which
writes tell as they tell a full disk.
"""

import argparse
import random
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from release.states import Run, damaged, differing, halves, reference, state
from release.verbs import VERBS, Verb, fresh, write_inputs


def _limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def written(run: Run) -> list[int]:
    """The sizes of the files that a command has made or changed."""
    same = run.after.keys() - run.varying
    changed = [name for name in same if run.before.get(name) != run.after[name]]
    return sorted(size for name in changed if (size := (run.folder / name).stat().st_size) > 1)


def findings(verb: Verb, run: Run, size: int) -> Iterator[str]:
    """What is wrong when files may have so many bytes, and when they may have any number again."""
    ran = subprocess.run(
        verb.command, cwd=run.folder, capture_output=True, text=True, check=False, preexec_fn=partial(_limit, size)
    )
    told = ran.stderr.splitlines()
    is_refused = ran.returncode == 2 and bool(told) and told[-1].startswith("keyseq: ")
    if not (is_refused or _row_tells(run.folder)) or "Traceback" in ran.stderr:
        yield f"exit {ran.returncode}, {ran.stderr[-300:]}"
    yield from damaged(run, state(run.folder))
    if left := halves(run.folder):
        yield f"left {left}"
    again = subprocess.run(verb.again, cwd=run.folder, capture_output=True, text=True, check=False)
    if again.returncode:
        yield f"repeated: exit {again.returncode}, {again.stderr[-300:]}"
    yield from differing(run, state(run.folder))


def _row_tells(folder: Path) -> bool:
    """Whether a table says what could not be written: a row that fails does not end an experiment."""
    return any("cannot be written" in path.read_text(encoding="utf-8") for path in folder.glob("experiments/*.md"))


def main() -> int:
    """Try all, and report."""
    parser = argparse.ArgumentParser("python -m release.full_disks", description=__doc__)
    parser.add_argument("verbs", nargs="*", metavar="VERB")
    parser.add_argument("--each", type=int, default=2, help="sizes for each verb")
    arguments = parser.parse_args()
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as place:
        inputs, folder = Path(place) / "inputs", Path(place) / "work"
        write_inputs(inputs)
        for verb in VERBS:
            if arguments.verbs and not any(part in verb.name for part in arguments.verbs):
                continue
            run = reference(verb, inputs, folder)
            sizes, chance = written(run), random.Random(verb.name)
            for turn in range(arguments.each):
                size = chance.randrange(
                    sizes[-1] if turn else sizes[0]
                )  # the first output does not fit, or the largest
                fresh(inputs, folder)
                found = list(findings(verb, run, size))
                tried, wrong = tried + 1, wrong + bool(found)
                print(f"{verb.name}, {size:,} bytes: {len(found)} findings", *found, sep="\n  ", flush=True)
    print(f"{tried} full disks, {wrong} with findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
