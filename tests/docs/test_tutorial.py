"""The tutorial, from installation to an own corpus: every command as a newcomer types it, in a new environment."""

import http.client
import json
import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from tests.docs.blocks import Block, blocks

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "tutorial.md"
SHELL = Path(__file__).with_name("shell.sh")
CLONE = ("LICENSE", "README.md", "constraints.txt", "examples", "pyproject.toml", "src")  # what the page speaks of
MINUTES = 10  # which the page promises


@pytest.fixture
def clone(tmp_path):
    """A clone of the repository in which nothing has been done yet; servers that the page starts end with the test."""
    folder = tmp_path / "keyseq"
    folder.mkdir()
    for name in CLONE:
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder)
    yield folder
    servers = folder / "servers"
    for process in servers.read_text().split() if servers.exists() else ():
        os.kill(int(process), signal.SIGTERM)


def typed(block: Block) -> str:
    return f"python -c {shlex.quote(block.code)}" if block.language == "python" else block.commands


def asked(port: str, method: str, path: str, body: str | None = None) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
    connection.request(method, path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 200
    return answer.read()


def test_the_tutorial_is_walked_from_install_to_own_corpus_within_ten_minutes(clone):
    page = blocks(PAGE)
    script = "\n".join(typed(block) for block in page if block.language in ("bash", "console", "python"))
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"source {SHELL}\n{script}"],
        cwd=clone,
        env={name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")},
        capture_output=True,
        text=True,
        timeout=60 * MINUTES,
    )
    assert ran.returncode == 0, f"{ran.stdout[-2000:]}\n{ran.stderr[-4000:]}"
    for block in page:
        if block.language == "text":
            assert block.code in ran.stdout  # what the page shows is what was printed
    [packages] = clone.glob(".venv/lib/python*/site-packages")
    installed = {path.name for path in packages.iterdir()}
    assert "onnxruntime" in installed
    assert "torch" not in installed
    assert "keywords" in (clone / "converted.csv").read_text().splitlines()[0]
    assert (clone / "report.html").stat().st_size > 1000
    port = (clone / "port").read_text()
    assert b"<html" in asked(port, "GET", "/")
    for system in ("kea", "textrank"):
        request = json.dumps({"text": "Delivery robots share narrow sidewalks.", "system": system})
        assert json.loads(asked(port, "POST", "/v1/keyphrases", request))["system"] == system
