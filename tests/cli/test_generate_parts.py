"""`keyseq generate --workers` as a command that is killed and given again."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.batch.texts import by_one_process, joined, write_corpus
from tests.runtime.networks import make

from keyseq.runtime.exporting import export
from keyseq.systems.recipe import Recipe

TFIDF = ("--system", "tfidf", "--workers", "2")


def command(*arguments):
    return [sys.executable, "-m", "keyseq", "generate", *map(str, arguments)]


def keyseq(*arguments):
    return subprocess.run(command(*arguments), capture_output=True, text=True, stdin=subprocess.DEVNULL)


def refused(*arguments):
    result = keyseq(*arguments)
    assert result.returncode == 2, result.stderr
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "corpus.jsonl", 60)


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path):
    corpus, out = write_corpus(tmp_path / "corpus.jsonl", 1500), tmp_path / "out"
    arguments = command(corpus, "--out", out, "--part-size", 16, *TFIDF)
    with subprocess.Popen(arguments, stderr=subprocess.DEVNULL) as process:
        while len(list(out.glob("part-*"))) < 5:
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    parts = sorted(out.glob("part-*"))
    assert len(parts) < 94
    kept = {path: path.stat().st_mtime_ns for path in parts[:-1]}  # the last may have no checksum yet: it is made again
    assert not (out / "done.json").exists()

    again = subprocess.run(arguments, capture_output=True, text=True)
    assert (again.returncode, again.stderr) == (0, f"{out}: 1,500 documents in 94 parts\n")
    redone = [path for path, before in kept.items() if path.stat().st_mtime_ns != before]
    assert redone in ([], [max(kept)])  # the last one, if the process was killed before it was recorded
    assert joined(out) == by_one_process(corpus, Recipe(system="tfidf"))
    assert sorted(path.name for path in out.iterdir() if path.name.startswith(".")) == [".lock"]


def test_a_run_that_is_ended_politely_leaves_nothing_half_written(tmp_path):
    corpus, out = write_corpus(tmp_path / "corpus.jsonl", 1500), tmp_path / "out"
    with subprocess.Popen(command(corpus, "--out", out, "--part-size", 16, *TFIDF), stderr=subprocess.PIPE) as process:
        while len(list(out.glob("part-*"))) < 5:
            assert process.poll() is None
            time.sleep(0.01)
        process.terminate()
        assert process.wait(20) == 128 + signal.SIGTERM
        assert process.stderr.read() == b""
    assert [path.name for path in out.iterdir() if path.name.startswith(".")] == [".lock"]


def test_a_network_in_several_processes_says_what_it_says_in_one(tmp_path):
    export(make(), tmp_path / "network")
    rows = [{"id": str(number), "abstract": f"w{number} w{number % 7} of w{number + 1} w3"} for number in range(600)]
    corpus = tmp_path / "corpus.jsonl.gz"
    corpus.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    out = tmp_path / "out"
    result = keyseq(corpus, "--out", out, "--system", tmp_path / "network", "--workers", 2, "--part-size", 256)
    assert result.returncode == 0, result.stderr
    assert len(list(out.glob("part-*"))) == 3
    assert joined(out) == by_one_process(corpus, Recipe(system=str(tmp_path / "network")))


def test_bad_records_make_the_exit_code_1_and_are_in_a_file(tmp_path):
    corpus, out = write_corpus(tmp_path / "corpus.jsonl", 10, bad=(4,)), tmp_path / "out"
    result = keyseq(corpus, "--out", out, "--compress", "gz", *TFIDF)
    assert result.returncode == 1
    assert result.stderr.splitlines() == [
        f"{out}: 10 documents in 1 part",
        f"1 record that cannot be read is listed in {out}/bad.jsonl",
    ]
    assert json.loads((out / "bad.jsonl").read_text())["place"] == f"{corpus}:6"
    assert len(gzip.decompress((out / "part-000000.jsonl.gz").read_bytes()).splitlines()) == 10


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (TFIDF, "name it with --out"),
        ((*TFIDF, "--out", "corpus.jsonl"), "is a file"),
        ((*TFIDF, "--out", "out", "--format", "csv"), "part files are jsonl or parquet, not csv"),
        (("--compress", "gz"), "--compress is for sharded output"),
        (("--part-size", "5"), "--part-size is for sharded output"),
        (("--format", "parquet"), "name a file to write with --out"),
        (("--workers", "2", "--out", "out", "--system", "tfdif"), "did you mean 'tfidf'"),
        (("--workers", "2", "--out", "out", "--system", "tfidf", "--beam", "3"), "tfidf has no setting 'beam'"),
    ],
)
def test_flags_that_do_not_go_together_are_told(corpus, monkeypatch, arguments, told):
    monkeypatch.chdir(corpus.parent)
    assert told in refused("corpus.jsonl", *arguments)
