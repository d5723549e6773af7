"""`keyseq generate --ray` as a command, with a Ray of its own on this machine."""

import json
import os
import socket
import subprocess
import sys
import time

import pytest
from tests.batch.texts import by_one_process, joined, write_corpus

from keyseq.systems.recipe import Recipe

pytest.importorskip("ray", reason="needs the extra [ray]")

TFIDF = ("--system", "tfidf")


def generate(*arguments, **environment):
    command = [sys.executable, "-m", "keyseq", "generate", *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )


def test_ray_without_an_address_starts_on_this_machine_and_makes_what_a_run_by_workers_left(tmp_path):
    corpus, out = write_corpus(tmp_path / "corpus.jsonl", 90, bad=(30,)), tmp_path / "out"
    flags = (*TFIDF, "--workers", 2, "--part-size", 20, "--out", out)
    assert generate(corpus, *flags).returncode == 1
    for number in (0, 2, 4):
        (out / f"part-{number:06d}.jsonl").unlink()
    kept = {path: path.stat().st_mtime_ns for path in out.glob("part-*")}

    result = generate("--ray", corpus, *flags, HOME=str(tmp_path))  # where Ray keeps a token
    assert (result.returncode, result.stderr.splitlines()) == (
        1,
        [
            f"{out}: 90 documents in 5 parts",
            f"1 record that cannot be read is listed in {out}/bad.jsonl",
        ],
    )
    assert json.loads((out / "bad.jsonl").read_text())["place"] == f"{corpus}:32"
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert joined(out) == by_one_process(corpus, Recipe(system="tfidf"))


@pytest.mark.parametrize("by", ["option", "variable"])
def test_a_cluster_that_does_not_answer_is_told_soon_with_what_to_check(tmp_path, by):
    corpus = write_corpus(tmp_path / "corpus.jsonl", 3)
    with socket.socket() as taken:  # bound but not listening: nobody else can take the port meanwhile
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        given, environment = (address, {}) if by == "option" else ("auto", {"RAY_ADDRESS": address})
        started = time.monotonic()
        result = generate(corpus, *TFIDF, "--ray", given, "--out", tmp_path / "out", **environment)
    assert time.monotonic() - started < 30  # Ray itself waits for a minute
    assert result.returncode == 2
    assert result.stderr.startswith(
        f"keyseq: no Ray cluster answers at {address} (Connection refused); run `ray status` there"
    )
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("address", ["atuo", "10.0.0.1", "s3://bucket/corpus.jsonl", "host:port", ""])
def test_what_is_no_address_is_refused_with_the_choices(tmp_path, address):
    result = generate(write_corpus(tmp_path / "corpus.jsonl", 3), f"--ray={address}", "--out", tmp_path / "out")
    assert result.returncode == 2
    assert result.stderr == f"keyseq: '{address}' is not the address of a Ray cluster; use auto, local or HOST:PORT\n"
