"""Kill every command that writes, at any moment: no input and no output is lost, and a repetition completes it.

`python -m release.kills [--each 10] [VERB …]`: half of the kills come at a system call that writes, names or syncs, by
strace, the others at a moment of the clock; every fourth of these is SIGTERM, which may not leave anything half-done.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.client import HTTPException
from pathlib import Path

from benchmarks.served import Server, serving

from release.states import Run, damaged, differing, halves, reference, state
from release.verbs import VERBS, Verb, fresh, write_inputs

CALLS = "write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,mkdir,unlink,unlinkat,ftruncate,copy_file_range"
SERVER = "serve, feedback"
LEFT = 30  # seconds that child processes may take to end after their parent


def calls(verb: Verb, folder: Path, log: Path) -> list[tuple[str, int]]:
    """The calls that the process of a command makes: each by its name, and as which of this name."""
    subprocess.run(_traced("-o", str(log), verb), cwd=folder, capture_output=True, check=False)
    lines = [line.split(maxsplit=1) for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
    names = [call.partition("(")[0] for process, call in lines if process == lines[0][0] and "(" in call]
    return [(name, names[: place + 1].count(name)) for place, name in enumerate(names)]


def _traced(*options: str | Verb) -> list[str]:
    *flags, verb = options
    assert isinstance(verb, Verb)
    return ["strace", "-f", "-qq", "-e", f"trace={CALLS}", *map(str, flags), *verb.command]


def killed_at(verb: Verb, folder: Path, name: str, number: int) -> bool:
    """Kill it at its n-th call of a name; whether it was killed."""
    inject = f"inject={name}:signal=KILL:when={number}"
    return _ended(_traced("-o", os.devnull, "-e", inject, verb), folder, None, signal.SIGKILL) != 0


def killed_after(verb: Verb, folder: Path, seconds: float, number: int) -> bool:
    """Kill it after a while; whether it was killed."""
    return _ended(list(verb.command), folder, seconds, number) in (-number, 128 + number)


def _ended(command: list[str], folder: Path, seconds: float | None, number: int) -> int:
    """Run a command, kill it after so many seconds, and wait until all of its processes are gone."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet, start_new_session=True) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        code = process.wait()
    until = time.monotonic() + LEFT
    while _alive(process.pid):
        if time.monotonic() > until:
            os.killpg(process.pid, signal.SIGKILL)
            raise RuntimeError(f"{command}: processes go on without their parent")
        time.sleep(0.02)
    return code


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def findings(verb: Verb, run: Run, softly: bool) -> Iterator[str]:
    """What is wrong after a kill, and after the repetition."""
    yield from damaged(run, state(run.folder))
    if softly and (left := halves(run.folder)):
        yield f"SIGTERM left {left}"
    again = subprocess.run(verb.again, cwd=run.folder, capture_output=True, text=True, check=False)
    complete = "already exists" in again.stderr or "no feedback since version" in again.stderr
    if again.returncode not in run.codes and not complete:
        yield f"repeated: exit {again.returncode}, {again.stderr[-300:]}"
    yield from differing(run, state(run.folder))


def kill(verb: Verb, inputs: Path, folder: Path, each: int, chance: random.Random) -> tuple[Counter[str], list[str]]:
    """Kill a command so many times: the kinds of kills, and what was wrong."""
    run = reference(verb, inputs, folder)
    made = calls(verb, fresh(inputs, folder), folder.parent / "calls")
    counted: Counter[str] = Counter()
    wrong: list[str] = []
    for turn in range(each):
        fresh(inputs, folder)
        softly = turn % 8 == 1
        if turn % 2:
            moment = chance.uniform(0, run.seconds)
            number = signal.SIGTERM if softly else signal.SIGKILL
            name, done = f"after {moment:.2f} s", killed_after(verb, folder, moment, number)
        else:
            call, times = chance.choice(made)
            name, done = f"at {call} {times}", killed_at(verb, folder, call, times)
        counted["SIGTERM" if softly and done else "SIGKILL" if done else "ended before"] += 1
        wrong += [f"{verb.name}, {name}: {one}" for one in findings(verb, run, softly)]
    return counted, wrong


def kill_server(inputs: Path, folder: Path, each: int, chance: random.Random) -> tuple[Counter[str], list[str]]:
    """Kill a server that takes feedback: what it has answered 200 for must be on disk."""
    fresh(inputs, folder)
    taken: set[str] = set()
    counted: Counter[str] = Counter()
    for turn in range(each):
        # it leaves with the code of the signal
        with suppress(RuntimeError), serving("tfidf", "--learn", str(folder / "mine"), "--learn-every", "1") as server:
            timer = threading.Timer(chance.uniform(0.1, 2), server.process.kill)
            timer.start()
            with suppress(OSError, HTTPException):
                taken.update(_posted(server, turn))
            timer.join()
            counted["SIGKILL"] += 1
    log = (folder / "mine" / "feedback" / "log.jsonl").read_bytes().splitlines()
    stored = {json.loads(line)["text"] for line in log if line.endswith(b"}")}
    counted["texts taken"] = len(taken)
    return counted, [f"serve --learn: {len(lost)} texts were lost"] if (lost := taken - stored) else []


def _posted(server: Server, turn: int) -> Iterator[str]:
    """Send feedback until the server is gone; the texts that it took."""
    for number in range(1_000_000):
        text = f"Text {turn} {number} on public transport."
        body = json.dumps({"text": text, "accepted": ["public transport"]}).encode()
        url = f"http://127.0.0.1:{server.port}/v1/feedback"
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            if answer.status == 200:
                yield text


def main() -> int:
    """Kill all, and report."""
    parser = argparse.ArgumentParser("python -m release.kills", description=__doc__)
    parser.add_argument("verbs", nargs="*", metavar="VERB")
    parser.add_argument("--each", type=int, default=10, help="kills of each verb")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    wrong: list[str] = []
    kinds = {verb.name: partial(kill, verb) for verb in VERBS} | {SERVER: kill_server}
    with tempfile.TemporaryDirectory() as place:
        inputs, folder = Path(place) / "inputs", Path(place) / "work"
        write_inputs(inputs)
        for name, killing in kinds.items():
            if arguments.verbs and not any(part in name for part in arguments.verbs):
                continue
            counted, found = killing(inputs, folder, arguments.each, random.Random(f"{arguments.seed} {name}"))
            total += counted
            wrong += found
            told = ", ".join(f"{count} {kind}" for kind, count in sorted(counted.items()))
            print(f"{name}: {told}; {len(found)} findings", *found, sep="\n  ", flush=True)
    print(f"all: {dict(sorted(total.items()))}; {len(wrong)} findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
