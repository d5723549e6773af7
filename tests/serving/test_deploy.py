"""The commands of the Dockerfile and of the systemd unit, run as they stand there."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.serving.running import running

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()
UNIT = (ROOT / "deploy" / "keyseq.service").read_text()


def instruction(name):
    """The words of an instruction in its JSON form."""
    found = re.search(rf"^ *{name} (\[.*\])$", DOCKERFILE, re.MULTILINE)
    return json.loads(found[1])


def test_the_containers_command_starts_and_its_health_check_knows_a_dead_server(tmp_path):
    program, verb, *arguments = instruction("ENTRYPOINT")
    assert (program, verb) == ("keyseq", "serve")
    python, *check = instruction("CMD")
    assert python == "python"
    assert "EXPOSE 8080" in DOCKERFILE  # the default port, which the check asks
    with running(tmp_path, "textrank", *arguments) as server:
        here = [part.replace(":8080/", f":{server.port}/") for part in check]
        assert subprocess.run([sys.executable, *here]).returncode == 0
        assert server.stop() == 0
    assert subprocess.run([sys.executable, *here], capture_output=True).returncode != 0


def test_the_container_is_no_root_and_copies_only_what_is_there():
    assert re.search(r"^USER [1-9]", DOCKERFILE, re.MULTILINE)
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE)
    allowed = (ROOT / ".dockerignore").read_text().split()
    for name in " ".join(copied).split():
        assert (ROOT / name).exists()
        assert f"!{name}" in allowed


def test_the_units_command_starts(tmp_path):
    (tmp_path / "token").write_text("a-token-for-the-tests")
    command = re.search(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)[1]
    _, verb, *arguments = shlex.split(command.replace("${CREDENTIALS_DIRECTORY}", str(tmp_path)))
    assert verb == "serve"
    assert arguments[:2] == ["--port", "8080"]  # which the test exchanges for a free one
    with running(tmp_path, "textrank", *arguments[2:]) as server:
        assert server.ask("/v1/systems").status == 401
        assert server.ask("/v1/systems", Authorization="Bearer a-token-for-the-tests").status == 200


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd on this machine")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path):
    unit = tmp_path / "keyseq.service"
    unit.write_text(UNIT.replace("/opt/keyseq/bin/keyseq", sys.executable))
    result = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert str(unit) not in result.stderr
