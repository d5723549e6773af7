"""`keyseq train --from NETWORK --train CORPUS --out DIR` as a process, with nothing else given."""

import json
import random
import signal
import subprocess
import sys
import time

import pytest

from keyseq.data.formats import read_documents
from keyseq.network.storage import read_tensors
from keyseq.training.logs import read_log

KEYSEQ = [sys.executable, "-m", "keyseq"]
WORDS = ["deep", "nets", "graphs", "trees", "codes", "data", "texts", "robots", "cells", "maps"]
ONE_THREAD = ("--threads", "1")


def document(chance, number, keyphrase):
    """A text with a keyphrase that is the same in all of a corpus, and some other words."""
    words = chance.sample([*chance.sample(WORDS, k=5), keyphrase], k=6)
    return {"id": str(number), "title": "", "abstract": f"{' '.join(words)} {number}", "keywords": [keyphrase]}


def keyseq(*arguments):
    return subprocess.run([*KEYSEQ, *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A corpus, and a network that learnt from another one."""
    folder, chance = tmp_path_factory.mktemp("fine-tuning"), random.Random(1)
    for name, keyphrase, count in (("first", "plans", 200), ("mine", "tools", 300)):
        rows = [document(chance, number, keyphrase) for number in range(count)]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = keyseq(
        *("train", "tiny", "--train", folder / "first.jsonl", "--valid", folder / "first.jsonl"),
        *("--out", folder / "run", "--set", "training.steps=20", "--set", "training.validate_documents=10"),
        *("--set", "training.learning_rate=3e-3", *ONE_THREAD),
    )
    assert made.returncode == 0, made.stderr
    assert keyseq("export", folder / "run", folder / "network").returncode == 0
    return folder


def arguments(folder, out):
    files = ("--from", folder / "network", "--train", folder / "mine.jsonl", "--out", out)
    often = ("--set", "training.checkpoint_every=5", "--set", "training.log_every=1")
    return ("train", *files, *ONE_THREAD, *often, "--set", "training.learning_rate=5e-3")  # tiny networks learn slowly


@pytest.fixture(scope="module")
def tuned(folder):
    """The command as a user writes it."""
    out = folder / "tuned"
    ran = keyseq(*arguments(folder, out), "--json")
    assert ran.returncode == 0, ran.stderr
    return out, ran


def test_it_says_what_was_held_out_and_what_was_gained(tuned):
    out, ran = tuned
    result = json.loads(ran.stdout)
    assert result["after"]["all.f1@m"] > result["before"]["all.f1@m"]
    assert result["after"]["loss"] < result["before"]["loss"]
    assert 0 < result["best_step"] <= result["step"] <= 60  # six epochs of nine steps are 54, but 60 is the least
    assert f"30 of the documents are held out for validation, in {out / 'valid.jsonl'}; 270 to learn from" in ran.stderr
    assert f"keyseq generate --system {out} uses it" in ran.stderr.splitlines()[-1]
    stored = json.loads((out / "result.json").read_text())
    assert stored == result


def test_no_validation_document_is_trained_on(tuned):
    out, ran = tuned
    held = {one.id for one in read_documents(out / "valid.jsonl")}
    [report] = out.glob("corpus/*/corpus.json")
    assert len(held) == 30
    assert json.loads(report.read_text())["documents"] == 270
    assert "inflates" not in ran.stderr


def test_the_folder_of_the_run_is_a_system_a_network_of_another_and_can_be_tuned_again(folder, tuned, tmp_path):
    out, _ = tuned
    text = tmp_path / "text.txt"
    text.write_text("deep nets graphs trees codes data")
    ran = keyseq("generate", text, "--system", out)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()
    command = ("train", "combined", "--train", folder / "mine.jsonl", "--network", out, "--out", tmp_path / "combined")
    ran = keyseq(*command, "--set", "combined.trees=4", "--set", "combined.leaf=5")
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "combined/network/encoder.onnx").is_file()
    for number, start in enumerate((out, tmp_path / "combined")):
        again = ("train", "--from", start, "--train", folder / "mine.jsonl", "--out", tmp_path / f"again{number}")
        ran = keyseq(*again, *ONE_THREAD, "--set", "training.steps=2")
        assert ran.returncode == 0, ran.stderr


def test_run_again_a_finished_run_trains_and_exports_nothing(folder, tuned):
    out, before = tuned
    exported = (out / "network/encoder.onnx").stat()
    ran = keyseq(*arguments(folder, out), "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == json.loads(before.stdout)
    assert "finished at step" in ran.stderr
    assert (out / "network/encoder.onnx").stat().st_mtime_ns == exported.st_mtime_ns


def test_killed_and_started_again_it_ends_with_the_same_network_and_the_same_scores(folder, tuned, tmp_path):
    command = [*KEYSEQ, *map(str, arguments(folder, tmp_path / "run")), "--json"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 120
        while len(list(read_log(tmp_path / "run/log.jsonl"))) < 12:
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "run/network").exists()
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "resumed at step" in ran.stderr
    ours, theirs = json.loads(ran.stdout), json.loads(tuned[1].stdout)
    assert ours["before"] == theirs["before"]
    assert ours["after"] == theirs["after"]
    for name in ("best", "last"):
        mine, whole = (read_tensors(out / name / "model.safetensors") for out in (tmp_path / "run", tuned[0]))
        assert all(mine[key].equal(whole[key]) for key in whole)


def test_where_nothing_is_gained_the_network_stays_as_it_was(folder, tmp_path):
    still = ("--set", "training.learning_rate=0", "--set", "training.patience=2")
    ran = keyseq(*arguments(folder, tmp_path / "run"), *still, "--json")
    assert ran.returncode == 0, ran.stderr
    result = json.loads(ran.stdout)
    assert (result["best_step"], result["before"]) == (0, result["after"])
    assert "no improvement on the validation part" in ran.stderr
    ours, theirs = (read_tensors(one / "model.safetensors") for one in (tmp_path / "run/best", tmp_path / "run/start"))
    assert all(ours[key].equal(theirs[key]) for key in theirs)


def test_a_validation_corpus_that_is_given_is_used(folder, tmp_path):
    command = ("train", "--from", folder / "run", "--train", folder / "mine.jsonl", "--valid", folder / "first.jsonl")
    ran = keyseq(*command, "--out", tmp_path / "run", *ONE_THREAD, "--set", "training.steps=2", "--json")
    assert ran.returncode == 0, ran.stderr
    assert "held out" not in ran.stderr
    assert json.loads(ran.stdout)["documents"] == 300


@pytest.fixture(scope="module")
def mistaken(folder):
    """Corpora and systems that cannot be used."""
    (folder / "small.jsonl").write_text("".join((folder / "mine.jsonl").read_text().splitlines(keepends=True)[:7]))
    rows = [json.dumps({"id": str(number), "title": "x", "abstract": f"a text {number}"}) for number in range(50)]
    (folder / "untagged.jsonl").write_text("\n".join(rows) + "\n")
    made = keyseq("train", "kea", "--train", folder / "mine.jsonl", "--out", folder / "kea")
    assert made.returncode == 0, made.stderr
    return folder


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "--train small.jsonl --from network",
            "small.jsonl: only 7 documents have keyphrases, of which a part",
        ),
        ("--train untagged.jsonl --from network", "untagged.jsonl: no document has keyphrases"),
        ("--train untagged.jsonl --valid mine.jsonl --from network", "untagged.jsonl: no document has keyphrases"),
        ("--train mine.jsonl --from textrank", "textrank: a method without a network; name a network, such as scholar"),
        ("--train mine.jsonl --from kea", "without a network; name a network, such as scholar-network"),
        ("--train mine.jsonl --from questions", "questions: a combined system without a network; name a network"),
        ("--train mine.jsonl --from auto", "auto: chooses between the systems scholar, questions,"),
        ("--train mine.jsonl --from nowhere", "nowhere: neither a folder nor a hub id"),
        ("--train mine.jsonl", "name the SYSTEM to train (keyseq train --help), or the network to fine-tune with"),
        ("kea --train mine.jsonl --from network", "--from is for networks, not for kea; leave it out"),
        ("--train mine.jsonl --from network --vocabulary x", "--vocabulary is for maui, not for fine-tuning; leave"),
        ("catseqd --train mine.jsonl --from network", "needs --valid FILE, which selects the best checkpoint; without"),
        (
            "catseqd --train mine.jsonl --valid first.jsonl --from network",
            "keyseq train does if SYSTEM is left out",
        ),
        ("scholar --train mine.jsonl", "scholar: is trained already; keyseq train --from scholar fine-tunes its"),
        ("foo --train mine.jsonl", "no system 'foo' to train, nor such a TOML file"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(mistaken, given, message, tmp_path):
    command = [*KEYSEQ, "train", *given.split(), "--out", str(tmp_path / "out")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=mistaken)
    assert ran.returncode == 2, ran.stderr
    assert message in ran.stderr
    assert ran.stderr.startswith("keyseq: ")
    assert ran.stderr.count("\n") == 1


def test_a_run_that_fine_tunes_another_network_is_not_taken_over(folder, tuned):
    out, _ = tuned
    ran = keyseq("train", "--from", "scholar", "--train", folder / "mine.jsonl", "--out", out)
    assert ran.returncode == 2
    assert f"{out}: is a run that fine-tunes {folder / 'network'}, not scholar-network" in ran.stderr
