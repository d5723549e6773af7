"""keyseq is offline: a network that runs writes nothing under HOME and connects to nothing."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from release.verbs import MADE, VERBS, write_texts
from tests.serving.running import running

from keyseq.cli import app
from keyseq.systems import SYSTEMS

KEYSEQ = (sys.executable, "-m", "keyseq")
PAPER = Path(__file__).parents[1] / "examples" / "paper.txt"
TEXT = "Voice recognition lets a social robot follow spoken commands."
# With telemetry on, ONNX Runtime looks up the name of a server 8 to 9 seconds after it has loaded a network
WATCHED = 12  # seconds
NETWORK = ("connect", "sendto", "sendmsg", "sendmmsg")


def traced(log):
    """A program that becomes another, and logs where it connects to or sends datagrams; a signal goes to the other."""
    return ("strace", "-D", "-f", "-qq", "-e", f"trace=execve,{','.join(NETWORK)}", "-o", str(log))


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


# All commands one after the other in one process, each with what it wrote where
PROGRAM = """
import json, sys
from keyseq.cli import main
for arguments in json.load(sys.stdin):
    sys.argv = ["keyseq", *arguments]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, (arguments, ended.code)
"""
NEEDS_A_MODEL = {"keybert"}
TWICE = {"train, fine-tuning", "experiment, networks"}  # train a network, as others do
MORE = {"learn": ("corrections.jsonl",)}
READ = (  # commands that write nothing
    ("systems",),
    ("data", "list"),
    ("data", "leaks", "corpus.jsonl", "--against", str(PAPER)),
)
SERVED = "serve"  # which is traced above
WRITES = ("openat", "creat", "mkdir", "mkdirat", "rename", "renameat", "renameat2")


def told_to_write(call):
    """The path that a call creates or writes, if it does; relative ones are in the folder where the command runs."""
    name, _, rest = call.split(" ", 1)[1].strip().partition("(")
    writes = name in WRITES and (name != "openat" or "O_WRONLY" in rest or "O_RDWR" in rest)
    paths = [path for path in rest.split('"')[1::2] if path.startswith("/")]
    return paths if writes and " = -1 " not in rest else []


def all_commands(group=None, *before):
    """The names of all commands, as they are written."""
    for name, command in (group or typer.main.get_command(app)).commands.items():
        yield from all_commands(command, *before, name) if hasattr(command, "commands") else [(*before, name)]


def test_row_2_every_command_is_traced():
    traced = [*READ, *(verb.arguments for verb in VERBS if verb.name not in TWICE), (SERVED,)]
    assert [name for name in all_commands() if not any(one[: len(name)] == name for one in traced)] == []


@needs_strace
def test_row_2_no_command_connects_to_anything_or_writes_anywhere_else(home, tmp_path, monkeypatch):
    write_texts(work := tmp_path / "work")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    commands = [(*verb.arguments, *MORE.get(verb.name, ())) for verb in (*MADE, *VERBS) if verb.name not in TWICE]
    commands += READ
    commands += [
        ("generate", "valid.jsonl", "--system", system, "--out", f"out-{system}.csv")
        for system in set(SYSTEMS) - NEEDS_A_MODEL
    ]
    named = {part.split("/")[0].split(".")[0] for command in commands for part in command}
    before = set(work.iterdir())
    calls = ",".join((*NETWORK, *WRITES))
    traced = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-e", f"trace=execve,{calls}", "-o", str(tmp_path / "log")]
    command = [*traced, sys.executable, "-c", PROGRAM]
    ran = subprocess.run(command, input=json.dumps(commands), capture_output=True, text=True, cwd=work)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert addresses(tmp_path / "log") == []
    written = [path for call in (tmp_path / "log").read_text().splitlines() for path in told_to_write(call)]
    assert [path for path in written if not path.startswith((str(tmp_path), "/dev/", "/proc/"))] == []
    assert list(home.rglob("*")) == []
    made = {path.name.split(".")[0] for path in set(work.iterdir()) - before}
    assert made <= named
