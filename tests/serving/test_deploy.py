"""The commands of the Dockerfile and of the systemd unit, run as they stand there but for the places they write to.

An image is a folder here. Nothing is downloaded: what keyseq depends on is taken from where the tests run.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from tests.serving.running import running

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()
UNIT = (ROOT / "deploy" / "keyseq.service").read_text()
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def instructions(name):
    """What follows a name of the Dockerfile, a line each."""
    lines = DOCKERFILE.replace("\\\n", " ").splitlines()
    return [line.split(maxsplit=1)[1] for line in lines if line.startswith(f"{name} ")]


def words(name):
    """The words of an instruction in its JSON form, its flags left out."""
    [found] = instructions(name)
    return json.loads(found[found.index("[") :])


def installing(line):
    """The two commands that install: a virtual environment, and keyseq into it."""
    made, installed = map(shlex.split, line.split("&&"))
    return made, installed


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """The folder /opt/keyseq of the image, made by its own commands from the files that they copy."""
    folder = tmp_path_factory.mktemp("image")
    source, opt = folder / "src", folder / "opt"
    source.mkdir()
    for line in instructions("COPY"):
        *names, target = line.split()
        for name in names if not line.startswith("--from") else ():
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, source / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, source / target)
    [line] = instructions("RUN")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in installing(line.replace("/opt/keyseq", str(opt))):
        subprocess.run(command, cwd=source, env={**os.environ, **OFFLINE, "PATH": path}, check=True)
        [packages] = opt.glob("lib/python*/site-packages")
        (packages / "tests.pth").write_text(sysconfig.get_path("purelib"))
    return opt


def inside(image, *command):
    """The command as the container finds it: by the PATH that the image sets."""
    path = next(part for part in instructions("ENV")[0].split() if part.startswith("PATH="))
    folders = path.removeprefix("PATH=").replace("/opt/keyseq", str(image)).replace("$PATH", os.environ["PATH"])
    return [shutil.which(command[0], path=folders), *command[1:]]


def test_the_containers_command_starts_and_its_health_check_knows_a_dead_server(image, tmp_path):
    program, verb, *arguments = words("ENTRYPOINT")
    assert verb == "serve"
    entry = inside(image, program)
    assert entry == [str(image / "bin" / "keyseq")]
    check = inside(image, *words("HEALTHCHECK"))
    assert instructions("EXPOSE") == ["8080"]  # the default port, which the check asks
    with running(tmp_path, "textrank", *arguments, program=entry) as server:
        here = [part.replace(":8080/", f":{server.port}/") for part in check]
        assert subprocess.run(here).returncode == 0
        assert server.ask("/", Host="keys.example.org").status == 200  # whatever name the container is reached by
        assert server.keyphrases({"text": "Small robots learn a language."}).status == 200
        assert server.stop() == 0
    assert subprocess.run(here, capture_output=True).returncode != 0


def test_the_image_holds_all_of_the_package_and_not_the_checkout(image):
    script = "import keyseq; print(keyseq.__file__); [p] = keyseq.load().predict(['Small robots learn.']); assert p"
    command = inside(image, "python", "-c", script)
    result = subprocess.run(command, capture_output=True, text=True, cwd=image, check=True)
    assert Path(result.stdout.strip()).is_relative_to(image)


def test_the_container_is_no_root_and_copies_only_what_is_there():
    assert re.match(r"[1-9]\d*:[1-9]", instructions("USER")[0])
    copied = [line.rsplit(maxsplit=1)[0] for line in instructions("COPY") if not line.startswith("--from")]
    allowed = (ROOT / ".dockerignore").read_text().split()
    for name in " ".join(copied).split():
        assert f"!{name}" in allowed


def test_every_library_of_the_image_has_its_version_pinned(image):
    script = """
import re
from importlib.metadata import requires
from packaging.requirements import Requirement
seen, waiting = set(), [("keyseq", "serve")]
while waiting:
    name, extra = waiting.pop()
    for line in requires(name) or ():
        one = Requirement(line)
        found = re.sub("[-_.]+", "-", one.name).lower()
        if (one.marker is None or one.marker.evaluate({"extra": extra})) and found not in seen:
            seen.add(found)
            waiting += [(one.name, extra) for extra in one.extras or {""}]
print(*sorted(seen))
"""
    result = subprocess.run(inside(image, "python", "-c", script), capture_output=True, text=True, check=True)
    needed = set(result.stdout.split())
    assert {"fastapi", "starlette", "numpy"} <= needed
    pins = (ROOT / "constraints.txt").read_text()
    pinned = {re.sub("[-_.]+", "-", name).lower() for name in re.findall(r"^([\w.-]+)==", pins, re.MULTILINE)}
    assert needed <= pinned


def test_the_units_commands_install_the_token_and_start(image, tmp_path):
    install, token, _ = [line.removeprefix("# ") for line in UNIT.splitlines() if line.startswith("# ")]
    (_, *made), installed = installing(install)
    (_, *here), pip = installing(instructions("RUN")[0])
    assert (made, installed) == (here, [part for part in pip if part != "--no-cache-dir"])  # which the image has run
    (tmp_path / "token.txt").write_text("a-token-for-the-tests")
    subprocess.run(shlex.split(token.replace("/etc/", f"{tmp_path}/etc/")), cwd=tmp_path, check=True)
    kept = re.search(r"^LoadCredential=token:(.*)$", UNIT, re.MULTILINE)[1]
    assert (tmp_path / kept.removeprefix("/")).stat().st_mode & 0o077 == 0

    command = re.search(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)[1]
    credentials = (tmp_path / kept.removeprefix("/")).parent
    program, verb, *arguments = shlex.split(command.replace("${CREDENTIALS_DIRECTORY}", str(credentials)))
    assert verb == "serve"
    assert arguments[:2] == ["--port", "8080"]  # which the test exchanges for a free one
    entry = [program.replace("/opt/keyseq", str(image))]
    with running(tmp_path, "textrank", *arguments[2:], program=entry) as server:
        assert server.ask("/v1/systems").status == 401
        assert server.ask("/v1/systems", Authorization="Bearer a-token-for-the-tests").status == 200


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd on this machine")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path):
    unit = tmp_path / "keyseq.service"
    unit.write_text(UNIT.replace("/opt/keyseq/bin/keyseq", sys.executable))
    result = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert str(unit) not in result.stderr
