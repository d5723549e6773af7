"""`keyseq data fill`: training targets made of a corpus and of a system's predictions."""

import json
import subprocess
import sys


def run(*arguments):
    command = [sys.executable, "-m", "keyseq", "data", "fill", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def write(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def corpus(folder):
    return write(
        folder / "corpus.jsonl",
        {"id": "a", "title": "Planar graphs", "abstract": "Colour them greedily.", "keywords": ["planar graphs"]},
        {"id": "b", "title": "Sparse matrices", "abstract": "Solvers for them.", "keywords": ["linear algebra"]},
    )


def test_every_document_comes_back_with_its_phrases_ranked_and_filled_up(tmp_path):
    said = write(
        tmp_path / "said.jsonl",
        {"id": "b", "keyphrases": ["solvers", {"text": "sparse matrices"}]},
        {"id": "a", "keyphrases": ["colour", "planar graphs"]},
    )
    done = run(corpus(tmp_path), said, "--present", 2, "--out", tmp_path / "filled.jsonl")
    assert done.returncode == 0, done.stderr
    assert "2 documents written" in done.stderr
    lines = [json.loads(line) for line in (tmp_path / "filled.jsonl").read_text().splitlines()]
    assert [line["keywords"] for line in lines] == [
        ["planar graphs", "colour"],
        ["solvers", "sparse matrices", "linear algebra"],
    ]


def test_what_was_said_can_take_the_place_of_phrases_of_the_text(tmp_path):
    said = write(tmp_path / "said.jsonl", {"id": "a", "keyphrases": ["colour"]}, {"id": "b", "keyphrases": ["solvers"]})
    done = run(corpus(tmp_path), said, "--instead", "--out", tmp_path / "taught.jsonl")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (tmp_path / "taught.jsonl").read_text().splitlines()]
    assert [line["keywords"] for line in lines] == [["colour"], ["solvers", "linear algebra"]]


def test_several_systems_are_united_those_of_the_first_first_and_duplicates_out(tmp_path):
    """As the synthetic labels of Semi are: (a, b, c) and (b, d, e), cut at four."""
    documents = write(tmp_path / "unlabelled.jsonl", {"id": "1", "title": "", "abstract": "acid base cells dyes ether"})
    one = write(tmp_path / "one.jsonl", {"id": "1", "keyphrases": ["acid", "base", "cells"]})
    other = write(tmp_path / "other.jsonl", {"id": "1", "keyphrases": ["bases", "dyes", "ether"]})
    done = run(documents, one, other, "--present", 4, "--out", tmp_path / "labelled.jsonl")
    assert done.returncode == 0, done.stderr
    [line] = (tmp_path / "labelled.jsonl").read_text().splitlines()
    assert json.loads(line)["keywords"] == ["acid", "base", "cells", "dyes"]


def test_a_document_without_predictions_is_named_and_nothing_is_written(tmp_path):
    said = write(tmp_path / "said.jsonl", {"id": "a", "keyphrases": ["colour"]})
    done = run(corpus(tmp_path), said, "--out", tmp_path / "filled.jsonl")
    assert done.returncode == 2
    assert "1 document without predictions (b)" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "filled.jsonl").exists()
