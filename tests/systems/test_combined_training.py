"""`keyseq train combined`: from a corpus to a system by the real command; interruptions and mistakes."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.systems.tagged import documents
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.data.formats import write_documents
from keyseq.errors import KeyseqError
from keyseq.systems import combined_training
from keyseq.types import Document

KEYSEQ = [sys.executable, "-m", "keyseq"]
FAST = ["--set", "combined.trees=20", "--set", "combined.leaf=10"]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tagged")
    every = list(documents())
    write_documents(every[:160], folder / "train.jsonl")
    write_documents(every[160:], folder / "valid.jsonl")
    return folder


def command(corpora, out, *more, valid=True):
    both = ["--valid", str(corpora / "valid.jsonl")] if valid else []
    return ["train", "combined", "--train", str(corpora / "train.jsonl"), *both, "--out", str(out), *FAST, *more]


def trained(corpora, out, *more, valid=True):
    done = CliRunner().invoke(app, command(corpora, out, *more, valid=valid))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def contents(folder):
    """All files of a system, the name of the folder in its card apart."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.name: path.read_bytes().replace(str(folder).encode(), b"OUT") for path in files}


@pytest.fixture(scope="module")
def whole(corpora, tmp_path_factory):
    """A system of an uninterrupted training, and what the command told."""
    out = tmp_path_factory.mktemp("whole") / "mine"
    return out, trained(corpora, out, "--json")


def test_one_command_makes_a_system_and_tells_how_good_it_is(whole):
    out, done = whole
    record = json.loads(done.stdout)
    assert (record["system"], record["documents"], record["ranked"], record["network"]) == ("combined", 160, 80, "")
    assert record["held_out"]["f1@m"] > 0.8
    assert record["held_out"]["calibration error, absent"] < 0.1
    assert "profiles and counts from 160 documents, ranker from 80" in done.stderr
    assert not out.with_name("mine.work").exists()


def test_the_system_finds_tags_that_the_text_does_not_contain(whole, tmp_path):
    (tmp_path / "note.txt").write_text("A comet left the galaxy. The telescope saw the comet near the planet.")
    done = subprocess.run(
        [*KEYSEQ, "generate", str(tmp_path / "note.txt"), "--system", str(whole[0]), "--json"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    phrases = {phrase["text"]: phrase["present"] for phrase in json.loads(done.stdout)["keyphrases"]}
    assert phrases["astronomy"] is False


def test_the_same_corpus_and_seed_make_the_same_bytes(corpora, whole, tmp_path):
    trained(corpora, tmp_path / "mine")
    assert contents(tmp_path / "mine") == contents(whole[0])


def test_tables_that_were_finished_before_a_kill_are_used_again(corpora, whole, tmp_path, monkeypatch):
    out = tmp_path / "mine"
    process = subprocess.Popen([*KEYSEQ, *command(corpora, out)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    tables = tmp_path / "mine.work" / "tables"
    while not tables.exists() and process.poll() is None:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert tables.is_dir()
    assert not out.exists()

    def again(*_, **__):
        raise AssertionError("the tables are made again")

    monkeypatch.setattr(combined_training, "store_tokens", again)
    trained(corpora, out)
    assert contents(out) == contents(whole[0])
    assert not (tmp_path / "mine.work").exists()


def test_tables_of_other_settings_are_not_used(corpora, whole, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    out = tmp_path / "mine"
    with monkeypatch.context() as patched:
        patched.setattr(combined_training, "learn", interrupted)
        assert trained(corpora, out, "--set", "combined.least=50").exit_code != 0
    assert (tmp_path / "mine.work" / "tables").is_dir()
    trained(corpora, out)
    assert contents(out) == contents(whole[0])


def test_without_a_validation_part_the_ranker_learns_from_what_was_held_out(corpora, tmp_path):
    done = trained(corpora, tmp_path / "mine", "--json", "--set", "combined.held_out=0.3", valid=False)
    record = json.loads(done.stdout)
    assert 30 < record["ranked"] < 70
    assert record["documents"] == 160  # counts and profiles are of all in the end


def test_torch_is_not_imported(corpora, tmp_path):
    program = (
        "import sys; from typer.testing import CliRunner; from keyseq.cli import app; "
        f"CliRunner().invoke(app, {command(corpora, tmp_path / 'mine')!r}); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
    assert (tmp_path / "mine").is_dir()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--set", "combined.tres=3"], "unknown setting 'combined.tres'; did you mean 'trees'?"),
        (["--set", "combined.trees=many"], "combined.trees must be a whole number, not 'many'"),
        (["--set", "kea.top=3"], "unknown section of settings 'kea'; the only one is combined"),
        (["--set", "combined.held_out=1.5"], "combined.held_out must be below 1, not 1.5"),
        (["--set", "combined.sample=3"], "combined.sample must be at least 20, not 3"),
        (["--vectors", "x"], "--vectors is for networks, not for combined; leave it out"),
    ],
)
def test_a_mistake_is_one_sentence(more, message, corpora, tmp_path):
    with pytest.raises(KeyseqError) as error:
        trained(corpora, tmp_path / "mine", *more)
    assert str(error.value) == message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        ([Document(id="a", body="cats")], "no documents with keyphrases to learn a ranker from"),
        (list(documents(9)), "a ranker needs at least 10 documents with keyphrases, not 9"),
    ],
)
def test_a_corpus_with_too_little_to_learn_from_is_refused(corpus, message, corpora, tmp_path):
    write_documents(corpus, tmp_path / "few.jsonl")
    done = subprocess.run(
        [*KEYSEQ, *command(corpora, tmp_path / "mine", "--valid", str(tmp_path / "few.jsonl"), valid=False)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "mine").exists()


def test_a_training_corpus_without_keyphrases_is_refused(corpora, tmp_path):
    write_documents([Document(id="a", body="cats")], tmp_path / "bare.jsonl")
    done = subprocess.run(
        [
            *[*KEYSEQ, "train", "combined", "--train", str(tmp_path / "bare.jsonl")],
            *["--valid", str(corpora / "valid.jsonl"), "--out", str(tmp_path / "mine")],
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "to learn from" in done.stderr.splitlines()[-1]
