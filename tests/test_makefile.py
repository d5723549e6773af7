"""`make test` brings the programs that tests need, or says at the end which tests were skipped without them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAKE = shutil.which("make")
INSTALL = "-qq install -y --no-install-recommends"

pytestmark = pytest.mark.skipif(MAKE is None, reason="there is no make on this machine")


def tools(folder, programs, user=0, apt="exit 0"):
    """Run `make tools` where there are only these programs, and return what apt-get was asked for."""
    scripts = {"id": f"echo {user}", "apt-get": f'echo "$@" >> {folder}/asked; {apt}', **dict.fromkeys(programs, "")}
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    result = subprocess.run(
        [MAKE, "--silent", "tools"], cwd=ROOT, env={"PATH": str(folder)}, capture_output=True, text=True
    )
    assert (result.returncode, result.stdout) == (0, ""), result.stderr
    return (folder / "asked").read_text().splitlines() if (folder / "asked").exists() else [], result.stderr


@pytest.mark.parametrize(
    ("programs", "packages"),
    [
        ([], "chromium strace nodejs systemd"),
        (["strace", "node", "systemd-analyze"], "chromium"),
        (["google-chrome", "systemd-analyze"], "strace nodejs"),
    ],
)
def test_root_installs_what_is_missing(tmp_path, programs, packages):
    assert tools(tmp_path, programs) == (["-qq update", f"{INSTALL} {packages}"], "")


@pytest.mark.parametrize("browser", ["chromium", "chromium-browser", "google-chrome"])
def test_nothing_is_installed_where_all_is_there(tmp_path, browser):
    assert tools(tmp_path, [browser, "strace", "node", "systemd-analyze"]) == ([], "")


def test_nothing_is_installed_by_others_than_root(tmp_path):
    assert tools(tmp_path, [], user=1000) == ([], "")


def test_tests_run_even_if_nothing_can_be_installed(tmp_path):
    asked, told = tools(tmp_path, [], apt="exit 100")
    assert asked == ["-qq update"]
    assert told == "make tools: could not install chromium strace nodejs systemd\n"


def test_make_test_asks_for_the_tools_before_it_runs_pytest():
    steps = subprocess.run([MAKE, "--dry-run", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert 0 < steps.index("apt-get") < steps.index("-m pytest")


def test_the_last_line_says_which_tests_were_skipped_and_why(tmp_path):
    command = [sys.executable, "-m", "pytest", "tests/serving/test_page.py", "tests/test_errors.py"]
    environment = {**os.environ, "PATH": str(tmp_path)}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    last = result.stdout.splitlines()[-1]
    assert re.fullmatch(r"skipped: \d+ of tests/serving/test_page\.py \(there is no Chromium on this machine\)", last)


def test_a_run_without_skipped_tests_ends_as_usual():
    command = [sys.executable, "-m", "pytest", "tests/test_errors.py"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert " passed in " in result.stdout.splitlines()[-1]
