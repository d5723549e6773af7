"""keyseq is offline: a network that runs writes nothing under HOME and connects to nothing."""

import json
import os
import shutil
import subprocess
import sys
import time

import pytest
from tests.serving.running import running

KEYSEQ = (sys.executable, "-m", "keyseq")
TEXT = "Voice recognition lets a social robot follow spoken commands."
# With telemetry on, ONNX Runtime looks up the name of a server 8 to 9 seconds after it has loaded a network
WATCHED = 12  # seconds


def traced(log):
    """A program that becomes another, and logs where it connects to or sends datagrams; a signal goes to the other."""
    return ("strace", "-D", "-f", "-qq", "-e", "trace=execve,connect,sendto,sendmsg,sendmmsg", "-o", str(log))


def can_trace():
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-f", "-qq", "-o", os.devnull, "true"], capture_output=True).returncode == 0


needs_strace = pytest.mark.skipif(not can_trace(), reason="strace, which shows connections, does not run here")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty HOME, the caches in it."""
    for name in list(os.environ):
        if name.startswith("XDG_") or name == "ORT_DISABLE_TELEMETRY":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def addresses(log):
    """The Internet addresses in a log of calls; none, for a server answers where others connect to it."""
    calls = log.read_text()
    assert "execve(" in calls  # something was traced
    return [line for line in calls.splitlines() if "sa_family=AF_INET" in line]


def generate(*before):
    """`keyseq generate` that has loaded its network and waits for more documents."""
    command = [*before, *KEYSEQ, "generate", "-", "--from", "jsonl", "--system", "scholar-network"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_generate_leaves_no_file_in_the_home_folder(home):
    with generate() as process:
        told, _ = process.communicate(json.dumps({"abstract": TEXT}).encode())
    assert b"ecognition" in told
    assert list(home.rglob("*")) == []


@needs_strace
def test_generate_and_serve_connect_to_nothing_and_leave_no_file_in_the_home_folder(home, tmp_path):
    logs = tmp_path / "generate", tmp_path / "serve"
    program = (*traced(logs[1]), *KEYSEQ)
    with generate(*traced(logs[0])) as process, running(tmp_path, "scholar-network", program=program) as server:
        started = time.monotonic()
        assert server.keyphrases({"text": TEXT}).status == 200
        while time.monotonic() < started + WATCHED and not any(map(addresses, logs)):
            time.sleep(0.2)
        assert process.poll() is None
        process.communicate(json.dumps({"abstract": TEXT}).encode())
    assert process.returncode == 0
    assert [addresses(log) for log in logs] == [[], []]
    assert list(home.rglob("*")) == []


INPUTS = ("gold.jsonl", "predicted.jsonl", "others.jsonl")


def corpus(tmp_path):
    """A corpus with keyphrases, and predictions for it."""
    lines = [{"title": "Voice recognition", "abstract": TEXT, "keyphrases": ["voice recognition"]} for _ in range(12)]
    for name in INPUTS:
        (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return str(tmp_path / "gold.jsonl"), str(tmp_path / "predicted.jsonl")


VERBS = {
    "evaluate": lambda gold, predicted, _: ["evaluate", gold, predicted, "--protocol", "all"],
    "compare": lambda gold, predicted, _: ["compare", gold, predicted, predicted.replace("predicted", "others")],
    "convert": lambda gold, _, out: ["data", "convert", gold, str(out / "out.bib")],
    "train": lambda gold, _, out: ["train", "kea", "--train", gold, "--out", str(out / "kea")],
    "parts": lambda gold, _, out: [
        "generate",
        gold,
        "--system",
        "tfidf",
        "--workers",
        "2",
        "--out",
        str(out / "parts"),
    ],
    **{
        system: lambda gold, _, out, system=system: ["generate", gold, "--system", system, "--out", str(out / "o.csv")]
        for system in ("auto", "scholar", "questions", "news", "general")
    },
}


@needs_strace
@pytest.mark.parametrize("verb", VERBS)
def test_row_2_a_command_connects_to_nothing_and_writes_nothing_but_what_was_named(verb, home, tmp_path):
    gold, predicted = corpus(tmp_path)
    (out := tmp_path / "out").mkdir()
    command = VERBS[verb](gold, predicted, out)
    log = tmp_path / "log"
    ran = subprocess.run([*traced(log), *KEYSEQ, *command], capture_output=True, text=True, cwd=home)
    assert ran.returncode == 0, ran.stderr
    assert addresses(log) == []
    assert list(home.rglob("*")) == []
    assert {path.name for path in tmp_path.iterdir()} == {*INPUTS, "out", "log", "home"}
