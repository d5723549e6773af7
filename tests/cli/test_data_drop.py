"""`keyseq data drop`: a corpus whose texts lack some of their keyphrases."""

import json
import subprocess
import sys


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
    ]
    path = folder / "corpus.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_documents_come_back_without_their_keyphrases_and_those_without_a_text_not_at_all(tmp_path):
    done = run(corpus(tmp_path), "--rate", 1, "--out", tmp_path / "dropped.jsonl")
    assert done.returncode == 0, done.stderr
    assert "1 documents written" in done.stderr
    [line] = map(json.loads, (tmp_path / "dropped.jsonl").read_text().splitlines())
    assert line["abstract"] == "Colour greedily."
    assert line["keywords"] == ["planar graphs"]


def test_a_rate_that_is_none_is_refused(tmp_path):
    done = run(corpus(tmp_path), "--rate", 1.5, "--out", tmp_path / "dropped.jsonl")
    assert done.returncode == 2
    assert "--rate" in done.stderr
    assert "Traceback" not in done.stderr
