"""`keyseq data drop`: keyphrases dropped from their texts."""

import json
import subprocess
import sys

import pytest


def run(*arguments):
    command = [sys.executable, "-m", "keyseq", "data", "drop", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def corpus(folder):
    records = [
        {
            "id": "a",
            "title": "Planar graphs",
            "abstract": "Colour planar graphs greedily.",
            "keywords": ["planar graphs"],
        },
        {"id": "b", "title": "Sparse matrices", "abstract": "", "keywords": ["sparse matrices"]},
        {"id": "c", "title": "Sparse solvers", "abstract": "", "keywords": ["linear algebra"]},
    ]
    path = folder / "corpus.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_documents_come_back_without_their_keyphrases_and_what_says_nothing_or_nothing_new_does_not(tmp_path):
    done = run(corpus(tmp_path), "--rate", 1, "--out", tmp_path / "dropped.jsonl")
    assert done.returncode == 0, done.stderr
    assert "1 documents with dropped keyphrases" in done.stderr
    [line] = map(json.loads, (tmp_path / "dropped.jsonl").read_text().splitlines())
    assert (line["id"], line["abstract"], line["keywords"]) == ("a", "Colour greedily.", ["planar graphs"])


def test_bad_records_are_named_or_passed_over(tmp_path):
    path = corpus(tmp_path)
    path.write_text(path.read_text() + "{\n")
    done = run(path, "--out", tmp_path / "dropped.jsonl")
    assert done.returncode == 2
    assert "corpus.jsonl:4" in done.stderr
    assert not (tmp_path / "dropped.jsonl").exists()
    done = run(path, "--skip-bad", "--out", tmp_path / "dropped.jsonl")
    assert done.returncode == 1
    assert (tmp_path / "dropped.jsonl").exists()


@pytest.mark.parametrize("rate", ["1.5", "nan", "half"])
def test_a_rate_that_is_none_is_refused(tmp_path, rate):
    done = run(corpus(tmp_path), "--rate", rate, "--out", tmp_path / "dropped.jsonl")
    assert done.returncode == 2
    assert "--rate" in done.stderr
    assert "Traceback" not in done.stderr
