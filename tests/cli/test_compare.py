"""`keyseq compare` from flags to files."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.errors import KeyseqError

DOCUMENTS = [
    {"id": str(number), "title": f"On topic {word}", "abstract": f"We study {word} in depth.", "keywords": [word, "x"]}
    for number, word in enumerate(["graphs", "nets", "words", "trees", "speech", "vision"])
]


@pytest.fixture
def files(tmp_path):
    """Gold, a baseline that is never right and a system that always is."""
    gold, bad, good = tmp_path / "gold.jsonl", tmp_path / "bad.jsonl", tmp_path / "good.jsonl"
    gold.write_text("".join(json.dumps(document) + "\n" for document in DOCUMENTS))
    bad.write_text("".join(json.dumps({"id": d["id"], "keyphrases": ["topic"]}) + "\n" for d in DOCUMENTS))
    good.write_text("".join(json.dumps({"id": d["id"], "keyphrases": d["keywords"]}) + "\n" for d in DOCUMENTS))
    return gold, bad, good


def run(*arguments):
    return CliRunner().invoke(app, ["compare", *map(str, arguments)], catch_exceptions=False)


def test_a_better_system_is_told_from_the_baseline(files):
    result = run(*files, "--metrics", "present.f1@5", "--samples", 200)
    assert result.exit_code == 0
    _, _, bad, good, *_ = result.stdout.splitlines()
    assert bad.split()[:3] == ["present.f1@5", "bad", "0.00"]
    assert good.split()[:3] == ["present.f1@5", "good", "100.00"]
    assert "+100.00" in good
    assert "data:gold:" in result.stdout


def test_json_repeats_itself_by_the_seed(files):
    first, again, other = (
        run(*files, "--metrics", "present.f1@5", "--samples", 50, "--seed", seed, "--format", "json").stdout
        for seed in (1, 1, 2)
    )
    assert first == again
    assert json.loads(first)["seed"] == 1
    [_, result] = json.loads(first)["results"]
    assert set(result["difference"]["p"]) == {"bootstrap", "randomization"}
    assert json.loads(other)["seed"] == 2


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_one_test_alone(files, test):
    printed = run(*files, "--metrics", "present.f1@5", "--samples", 50, "--test", test, "--json").stdout
    assert json.loads(printed)["tests"] == [test]


def test_protocol_and_rules_reach_the_signature(files):
    result = run(*files, "--protocol", "chan2019", "--set", "precision=predicted", "--metrics", "present.f1@5")
    assert "protocol:chan2019|set:precision=predicted" in result.stdout


def test_a_figure_and_a_page_are_written(files, tmp_path):
    figure, page = tmp_path / "a.png", tmp_path / "a.html"
    result = run(*files, "--samples", 20, "--plot", figure, "--format", "html", "--out", page, "--documents", 3)
    assert result.stdout == ""
    assert figure.read_bytes().startswith(b"\x89PNG")
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    assert text.count("data-place=") == 3


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("gold.jsonl bad.jsonl", "compare needs two or more prediction files"),
        ("gold.jsonl bad.jsonl good.jsonl bad.jsonl", "bad.jsonl is given twice"),
        ("gold.jsonl bad.jsonl good.jsonl --plot a.gif", r"must end in one of \.pdf"),
        ("gold.jsonl bad.jsonl good.jsonl --level 95", "between 0 and 1"),
        ("gold.jsonl bad.jsonl good.jsonl --metrics present.f2@5", "present.f1"),
        ("gold.jsonl bad.jsonl good.jsonl --set documents", "write RULE=VALUE"),
        ("gold.jsonl bad.jsonl none.jsonl", "no such file"),
        (". bad.jsonl good.jsonl", "one gold corpus"),
    ],
)
def test_mistakes_are_told(files, monkeypatch, arguments, problem):
    monkeypatch.chdir(files[0].parent)
    with pytest.raises(KeyseqError, match=problem):
        run(*arguments.split())


def test_the_whole_program_says_a_mistake_in_one_line(files):
    command = [sys.executable, "-m", "keyseq", "compare", *map(str, files[:2])]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "keyseq: compare needs two or more prediction files; use keyseq evaluate for one\n"


def test_evaluate_writes_the_page_of_one_system(files, tmp_path):
    gold, _, good = files
    page = tmp_path / "a.html"
    result = CliRunner().invoke(app, ["evaluate", str(gold), str(good), "--format", "html", "--out", str(page)])
    assert result.exit_code == 0
    text = page.read_text()
    assert "good on gold" in text
    assert text.count("data-place=") == len(DOCUMENTS)
