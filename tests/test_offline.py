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
