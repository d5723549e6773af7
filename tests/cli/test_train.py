"""`keyseq train` as a process: killed, resumed, in several processes, and with mistakes."""

import json
import random
import signal
import subprocess
import sys
import time

import pytest

from keyseq.network.storage import read_tensors
from keyseq.training.logs import read_log

KEYSEQ = [sys.executable, "-m", "keyseq"]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "keyseq"]
ACCELERATE = [sys.executable, "-m", "accelerate.commands.launch", "--cpu", "--num_processes", "2", "-m", "keyseq"]


def document(chance, number):
    words = chance.choices(["deep", "nets", "graphs", "trees", "codes", "data", "texts"], k=12)
    return {"id": str(number), "title": "", "abstract": " ".join(words), "keywords": sorted(set(words[:3]))}


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    folder, chance = tmp_path_factory.mktemp("corpora"), random.Random(1)
    for name, count in (("train", 400), ("valid", 20)):
        lines = [json.dumps(document(chance, number)) for number in range(count)]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def arguments(corpora, out, *settings):
    files = ["--train", str(corpora / "train.jsonl"), "--valid", str(corpora / "valid.jsonl"), "--out", str(out)]
    overrides = [part for setting in ("training.threads=1", *settings) for part in ("--set", setting)]
    return ["train", "tiny", *files, *overrides]


STEADY = ("training.steps=60", "training.checkpoint_every=7", "training.validate_every=25", "training.log_every=1")


@pytest.fixture(scope="module")
def uninterrupted(corpora, tmp_path_factory):
    out = tmp_path_factory.mktemp("uninterrupted")
    done = subprocess.run([*KEYSEQ, *arguments(corpora, out, *STEADY), "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out, done


def test_the_outcome_is_json_on_standard_output_and_all_else_is_not(uninterrupted):
    out, done = uninterrupted
    outcome = json.loads(done.stdout)
    assert (outcome["step"], outcome["out"]) == (60, str(out))
    assert "400 documents" in done.stderr
    assert "step 50: validation: loss" in done.stderr


def test_killed_by_the_system_and_started_again_it_ends_with_the_same_weights(corpora, uninterrupted, tmp_path):
    command = [*KEYSEQ, *arguments(corpora, tmp_path, *STEADY)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: len(list(read_log(tmp_path / "log.jsonl"))) > 20, process)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    before = json.loads((tmp_path / "last/state.json").read_text())["progress"]["step"]
    assert 0 < before < 60
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"resumed at step {before}" in done.stderr
    for name in ("model.safetensors", "optimizer.safetensors"):
        ours, theirs = (read_tensors(out / "last" / name) for out in (tmp_path, uninterrupted[0]))
        assert ours.keys() == theirs.keys()
        assert all(ours[key].equal(theirs[key]) for key in ours)


def wait_for(condition, process):
    deadline = time.monotonic() + 120
    while not condition():
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("launcher", [TORCHRUN, ACCELERATE], ids=["torchrun", "accelerate launch"])
def test_two_processes_follow_the_losses_of_one(corpora, tmp_path, launcher):
    settings = (
        "training.steps=12",
        "training.batch_size=7",  # shares of four and three documents
        "training.learning_rate=1e-3",
        "training.log_every=1",
        "training.validate_every=12",
        "model.dropout=0",
        "model.target_encoder=false",
        "loss.semantic=0",
    )
    for start, name in ((KEYSEQ, "one"), (launcher, "two")):
        command = [*start, *arguments(corpora, tmp_path / name, *settings)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    one, two = (list(read_log(tmp_path / name / "log.jsonl")) for name in ("one", "two"))
    assert len(one) == len(two) == 13
    for ours, theirs in zip(two, one, strict=True):
        terms = [term for term in ("loss", "nll", "orthogonal", "gradient_norm", "present.f1@o") if term in theirs]
        assert [ours[term] for term in terms] == pytest.approx([theirs[term] for term in terms], rel=1e-3)
    ours, theirs = (read_tensors(tmp_path / name / "last/model.safetensors") for name in ("two", "one"))
    assert all(ours[key].allclose(theirs[key], rtol=1e-3, atol=1e-4) for key in theirs)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (["--set", "training.step=5"], "unknown setting 'training.step'; did you mean 'steps'?"),
        (["--set", "model.dropout=2"], "model.dropout must be below 1"),
        (["--from", "nowhere"], "nowhere"),
    ],
)
def test_mistakes_are_one_sentence_and_exit_code_2(corpora, tmp_path, changed, message):
    command = [*KEYSEQ, *arguments(corpora, tmp_path / "out"), *changed]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("keyseq: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_training_goes_on_from_an_exported_network(corpora, tmp_path):
    first = arguments(corpora, tmp_path / "first", "training.steps=3")
    assert subprocess.run([*KEYSEQ, *first], capture_output=True).returncode == 0
    export = [*KEYSEQ, "export", str(tmp_path / "first"), str(tmp_path / "exported"), "--weights", "int8"]
    assert subprocess.run(export, capture_output=True).returncode == 0
    settings = str(tmp_path / "exported/settings.toml")
    second = arguments(corpora, tmp_path / "second", "training.steps=4")
    second[1] = settings
    done = subprocess.run([*KEYSEQ, *second, "--from", str(tmp_path / "exported")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    before, after = (read_tensors(tmp_path / name / "last/model.safetensors") for name in ("first", "second"))
    assert 0 < (before["embedding.weight"] - after["embedding.weight"]).abs().max() < 0.1
