"""`keyseq data clean` and `keyseq data leaks`, as a user runs them."""

import json
import lzma
import subprocess
import sys

import pytest

BODY = "We built robots that walk on ice with four legs and do not fall over even when it is wet."
OTHER = "Bread that is kept in a box stays fresh for longer than bread that is kept in a bag, we found."


def keyseq(*arguments):
    command = [sys.executable, "-m", "keyseq", "data", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.fixture
def corpora(tmp_path):
    def write(name, *documents):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(document) + "\n" for document in documents))
        return path

    robots = {"id": "a", "title": "Robots", "abstract": f"{BODY} © 2019 Ice Press.", "keywords": ["ice; C12"]}
    bread = {"id": "b", "title": "Bread", "abstract": OTHER, "keywords": ["bread"]}
    write("train.jsonl", robots, bread)
    write("test/bread.jsonl", bread | {"id": "t1"})
    write("clean.jsonl", robots)
    return tmp_path


def test_clean_writes_the_corpus_and_tells_what_it_did(corpora):
    out, report = corpora / "out.jsonl.xz", corpora / "report.md"
    done = keyseq("clean", corpora / "train.jsonl", "--out", out, "--against", corpora / "test", "--report", report)
    assert done.returncode == 0, done.stderr
    with lzma.open(out, "rt") as file:
        assert [json.loads(line) for line in file] == [
            {"id": "a", "title": "Robots", "abstract": BODY, "keywords": ["ice"]}
        ]
    assert done.stdout == ""
    assert "document dropped: copy of a document of bread" in done.stderr
    assert "| document dropped: copy of a document of bread" in report.read_text()


def test_clean_for_machines(corpora):
    done = keyseq("clean", corpora / "train.jsonl", "--out", corpora / "out.jsonl", "--json")
    told = json.loads(done.stdout)
    assert (told["read"], told["written"]) == (2, 2)
    assert told["changed"]["copyright line removed"] == {"count": 1, "example": "a"}


def test_a_report_of_an_unknown_kind_is_refused_before_the_work(corpora):
    done = keyseq("clean", corpora / "train.jsonl", "--out", corpora / "out.jsonl", "--report", corpora / "report.doc")
    assert done.returncode == 2
    assert "must end in .md or .json" in done.stderr
    assert not (corpora / "out.jsonl").exists()


def test_leaks_are_listed_and_the_exit_code_says_so(corpora):
    done = keyseq("leaks", corpora / "train.jsonl", "--against", corpora / "test")
    assert done.returncode == 1
    assert done.stdout.splitlines()[2].split() == ["b", "bread", "t1", "1.00", "same"]
    assert "bread: 1 copies" in done.stderr
    told = json.loads(keyseq("leaks", corpora / "train.jsonl", "--against", corpora / "test", "--json").stdout)
    assert told["files"] == {"bread": 1}
    assert told["leaks"] == [{"id": "b", "file": "bread", "copy_of": "t1", "alike": 1.0, "same_title": True}]


def test_no_leak_is_exit_code_0_and_a_mistake_2(corpora):
    clean = keyseq("leaks", corpora / "clean.jsonl", "--against", corpora / "test")
    assert (clean.returncode, clean.stdout) == (0, "")
    wrong = keyseq("leaks", corpora / "clean.jsonl", "--against", corpora / "nowhere")
    assert wrong.returncode == 2
    assert "neither a file nor a dataset" in wrong.stderr
