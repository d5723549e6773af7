"""`keyseq data frequencies`: a table from any corpus, which generate then uses."""

import json
import subprocess
import sys

import pytest


def run(*arguments, **options):
    command = [sys.executable, "-m", "keyseq", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    texts = ["Cats and dogs.", "Dogs and birds.", "Dogs."]
    path.write_text("".join(json.dumps({"id": str(n), "abstract": text}) + "\n" for n, text in enumerate(texts)))
    return path


def test_a_table_of_ones_own_decides_what_is_rare(corpus, tmp_path):
    table = tmp_path / "table.txt.gz"
    made = run("data", "frequencies", corpus, "--out", table, "--least", 1, "--about", "three texts")
    assert (made.returncode, made.stdout) == (0, "")
    assert made.stderr == f"3 documents, 5 phrases written to {table}\n"
    said = run("generate", "--system", "tfidf", "--frequencies", table, input="Dogs and cats.")
    assert [line.split()[1] for line in said.stdout.splitlines()] == ["cats", "Dogs"]


def test_a_bad_record_leaves_no_table(corpus, tmp_path):
    corpus.write_text(corpus.read_text() + "[]\n")
    table = tmp_path / "table.txt"
    assert run("data", "frequencies", corpus, "--out", table).returncode == 2
    assert not table.exists()
    assert run("data", "frequencies", corpus, "--out", table, "--skip-bad").returncode == 1
    assert table.exists()


def test_another_file_is_no_table(corpus):
    said = run("generate", "--system", "tfidf", "--frequencies", corpus, input="Dogs and cats.")
    assert said.returncode == 2
    assert said.stderr.endswith("not a table of document frequencies; create one with keyseq data frequencies\n")
    assert said.stderr.count("\n") == 1
