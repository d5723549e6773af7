"""`keyseq learn` as a process."""

import json
import shutil
import subprocess
import sys

import pytest
from tests.adapting.test_feedback_learning import KITCHENS, text
from tests.systems.tiny_combined import train_tiny


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("learn")
    train_tiny(folder, trees=20)
    rows = [
        {"text": text(KITCHENS, 4 * number), "rejected": ["copper pan"], "added": ["cooking at home"]}
        for number in range(10)
    ]
    (folder / "corrections.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "next.txt").write_text(text(KITCHENS, 44))
    return folder


def keyseq(folder, *arguments):
    command = [sys.executable, "-m", "keyseq", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def generated(folder, *more):
    ran = keyseq(folder, "generate", "next.txt", "--system", "./tiny", *more)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_learn_generate_and_roll_back(folder):
    before = generated(folder)
    assert "copper pan" in before
    ran = keyseq(folder, "learn", "tiny", "corrections.jsonl", "--json")
    assert ran.returncode == 0, ran.stderr
    version = json.loads(ran.stdout)
    assert (version["number"], version["documents"], version["verdicts"]) == (1, 10, 20)
    assert "keyseq learn tiny --rollback goes back" in ran.stderr
    assert "copper pan" not in generated(folder)
    assert "cooking at home" in generated(folder)
    assert "accepted for similar texts" in generated(folder, "--explain")
    again = keyseq(folder, "learn", "tiny")
    assert (again.returncode, again.stderr) == (2, "keyseq: tiny: no feedback since version 1\n")
    ran = keyseq(folder, "learn", "tiny", "--rollback")
    assert (ran.returncode, ran.stderr) == (0, "tiny: uses version 0, the system as it was trained\n")
    assert generated(folder) == before


def test_a_version_that_is_worse_is_not_used_and_the_exit_code_says_so(folder, tmp_path):
    shutil.copytree(folder / "tiny", tmp_path / "tiny")
    rows = [json.loads(line) for line in (tmp_path / "tiny/held-out.jsonl").read_text().splitlines()]
    spoilt = [{"text": row["abstract"], "rejected": row["keywords"], "added": ["noise"]} for row in rows]
    (tmp_path / "spoilt.jsonl").write_text("".join(json.dumps(row) + "\n" for row in spoilt))
    ran = keyseq(tmp_path, "learn", "tiny", "spoilt.jsonl")
    assert ran.returncode == 1
    assert "and is not used, since it is worse: F1@M on 40 held-out documents" in ran.stderr
    assert (tmp_path / "tiny/feedback/current").exists() is (folder / "tiny/feedback/current").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tiny", "nowhere.jsonl"), "nowhere.jsonl: no such file"),
        (("tiny", "next.txt"), "next.txt:1: not JSON; write one object per line"),
        (("tiny", "corrections.jsonl", "--rollback"), "FILE, --rollback and --use exclude each other"),
        (("tiny", "--use", "9"), "there is no version 9"),
        (("scholar", "corrections.jsonl"), "scholar: a system of the package"),
        (("tiny", "corrections.jsonl", "--held-out", "corrections.jsonl"), "no document has keyphrases"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(folder, tmp_path, arguments, message):
    for name in ("tiny", "corrections.jsonl", "next.txt"):
        (shutil.copytree if name == "tiny" else shutil.copy)(folder / name, tmp_path / name)
    ran = keyseq(tmp_path, "learn", *arguments)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1
