"""`keyseq experiment`: the list, mistakes, and a run that is killed twice and goes on."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from keyseq.cli import app

PAPER = ("statistics", "present", "stackex", "self-terminating", "ablation", "absent", "diversity", "lambdas")
NAMES = (*PAPER, "decodings", "decodings-stackex")


def invoke(*arguments):
    return CliRunner().invoke(app, ["experiment", *arguments])


def test_without_a_name_all_experiments_are_listed_with_a_line_each():
    lines = invoke().stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(NAMES)
    assert [one["name"] for one in json.loads(invoke("--json").stdout)] == list(NAMES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["presnt"], "unknown experiment 'presnt'; did you mean 'present'?"),
        (["present", "--scale", "0"], "--scale must be a number above 0, not 0"),
        (["present", "--scale", "nan"], "--scale must be a number above 0, not nan"),
        (["present", "--scale", "inf"], "--scale must be a number above 0, not inf"),
        (["present", "--budget", "-1"], "--budget must be a number above 0, not -1"),
        (["lambdas", "--seeds", "3"], "--seeds is for tables of scores, which lambdas is not; leave it out"),
        (["present", "--systems", "catsek"], "present has no system 'catsek'; did you mean 'catseq'?"),
        (["present", "--network", "catseq"], "--network catseq: write NAME=DIR"),
        (["present", "--network", "catseq=nowhere"], "no such folder: nowhere"),
        (["present", "--network", "catseq=.", "--network", "catseq=."], "--network catseq: given twice, as . and as ."),
    ],
)
def test_a_mistake_is_one_sentence(arguments, message, tmp_path):
    ran = invoke(*arguments, "--data", str(tmp_path), "--out", str(tmp_path / "out"))
    assert ran.exit_code == 1  # the runner does not go through main, which makes it 2
    assert message in str(ran.exception)


@pytest.fixture
def data(tmp_path):
    chance = random.Random(1)
    for split, name, size in (("train", "scholar", 300), ("valid", "scholar", 20), ("test", "kp20k_1000", 20)):
        (tmp_path / "data" / split).mkdir(parents=True)
        words = [f"w{number}" for number in range(60)]
        lines = []
        for number in range(size):
            text = chance.choices(words, k=20)
            phrases = [" ".join(text[:2]), text[7]]
            lines.append(json.dumps({"id": str(number), "abstract": " ".join(text), "keywords": phrases}))
        (tmp_path / "data" / split / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return tmp_path / "data"


def command(data, out):
    arguments = ["experiment", "self-terminating", "--systems", "catseq", "--scale", "0.0001", "--json"]
    return [sys.executable, "-m", "keyseq", *arguments, "--data", str(data), "--out", str(out)]


def killed_once(begun, pattern, out):
    """Kill the command as soon as a file appears."""
    with subprocess.Popen(begun, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not list(out.glob(pattern)):
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL


def test_a_run_killed_in_training_and_after_it_goes_on_to_the_same_table(data, tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    killed_once(command(data, killed), "runs/catseq-*/log.jsonl", killed)
    assert not list(killed.glob("networks/catseq-*"))
    killed_once(command(data, killed), "networks/catseq-*", killed)
    assert not list(killed.glob("*.md"))
    [network] = killed.glob("networks/catseq-*")
    trained = network.stat().st_mtime_ns
    resumed = subprocess.run(command(data, killed), capture_output=True, text=True, check=True)
    assert network.stat().st_mtime_ns == trained
    undisturbed = CliRunner().invoke(app, command(data, whole)[3:])
    assert "training catseq on scholar" in undisturbed.stderr
    assert "training catseq on" not in resumed.stderr
    tables = [json.loads(ran.stdout)["sections"] for ran in (resumed, undisturbed)]
    found = [[(v["row"], v["column"], v["measured"], v["missing"]) for s in t for v in s["values"]] for t in tables]
    assert found[0] == found[1]
    assert any(measured is not None for _, _, measured, _ in found[0])
