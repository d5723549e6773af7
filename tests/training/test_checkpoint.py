"""Exact resume, and checkpoints that are whole or not there."""

import errno
import json
import os
import re
import shutil
from contextlib import nullcontext

import pytest

from keyseq.errors import KeyseqError
from keyseq.network.storage import load_network, read_tensors
from keyseq.training import checkpoint
from keyseq.training.checkpoint import Progress, latest
from keyseq.training.logs import read_log

SETTINGS = ("training.steps=24", "training.checkpoint_every=5", "training.validate_every=8", "training.log_every=3")


class Killed(BaseException):
    """The end of a process, as far as a test within the process can have it."""


def killed_at(step):
    def report(event):
        if event.kind == "step" and event.progress.step == step:
            raise Killed

    return report


@pytest.fixture(scope="module")
def whole(copying, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole")
    copying.run(out, *SETTINGS)
    return out


def state(out, name="last"):
    progress = json.loads((out / name / "state.json").read_text())["progress"]
    return {key: value for key, value in progress.items() if key != "seconds"}


def same_tensors(one, other):
    one, other = read_tensors(one), read_tensors(other)
    return one.keys() == other.keys() and all(one[name].equal(other[name]) for name in one)


@pytest.mark.parametrize("steps", [(3,), (7, 19), (20,)], ids=["before the first checkpoint", "twice", "at one"])
def test_killed_and_resumed_equals_never_killed_bit_for_bit(copying, whole, tmp_path, steps):
    for step in steps:
        with pytest.raises(Killed):
            copying.run(tmp_path, *SETTINGS, report=killed_at(step))
    copying.run(tmp_path, *SETTINGS)
    assert same_tensors(tmp_path / "last/model.safetensors", whole / "last/model.safetensors")
    assert same_tensors(tmp_path / "last/optimizer.safetensors", whole / "last/optimizer.safetensors")
    assert same_tensors(tmp_path / "best/model.safetensors", whole / "best/model.safetensors")
    assert state(tmp_path) == state(whole)
    assert [line["step"] for line in read_log(tmp_path / "log.jsonl")] == [
        line["step"] for line in read_log(whole / "log.jsonl")
    ]


def test_a_finished_run_can_be_given_more_steps(copying, whole, tmp_path):
    copying.run(tmp_path, *SETTINGS, "training.steps=10")
    assert state(tmp_path)["step"] == 10
    copying.run(tmp_path, *SETTINGS)
    assert state(tmp_path)["step"] == 24
    assert same_tensors(tmp_path / "last/model.safetensors", whole / "last/model.safetensors")


def test_a_finished_run_does_nothing_again(copying, whole):
    before = (whole / "last/model.safetensors").stat().st_mtime_ns
    copying.run(whole, *SETTINGS)
    assert (whole / "last/model.safetensors").stat().st_mtime_ns == before


def test_other_settings_in_the_same_folder_are_named(copying, whole):
    with pytest.raises(KeyseqError, match=r"other settings: training\.learning_rate is 0\.01 there and 0\.02 here"):
        copying.run(whole, *SETTINGS, "training.learning_rate=0.02")


def test_a_run_that_began_before_a_setting_was_there_goes_on_with_its_default(copying, whole, tmp_path):
    shutil.copytree(whole, tmp_path / "out")
    place = tmp_path / "out/last/state.json"
    known = json.loads(place.read_text())
    del known["settings"]["order"], known["settings"]["model"]["generated_words"]
    place.write_text(json.dumps(known))
    copying.run(tmp_path / "out", *SETTINGS)
    assert state(tmp_path / "out") == state(whole)
    with pytest.raises(KeyseqError, match=r"other settings: order\.bias is 0\.0 there and 1\.0 here"):
        copying.run(tmp_path / "out", *SETTINGS, "order.bias=1")


def test_another_corpus_in_the_same_folder_is_refused(topics, whole, tmp_path):
    shutil.copytree(whole, tmp_path / "out")
    with pytest.raises(KeyseqError, match="another corpus"):
        topics.run(tmp_path / "out", *SETTINGS)


@pytest.mark.parametrize(
    ("name", "keep", "message"),
    [
        ("model.safetensors", 0.5, "truncated or not a safetensors file"),
        ("optimizer.safetensors", 0.9, "truncated or not a safetensors file"),
        ("optimizer.safetensors", 0.0, "truncated or not a safetensors file"),
        ("state.json", 0.5, "missing or damaged"),
        ("state.json", None, "missing or damaged"),
        ("model.safetensors", None, "no such file"),
    ],
)
def test_a_damaged_checkpoint_is_named(copying, whole, tmp_path, name, keep, message):
    shutil.copytree(whole, tmp_path / "out")
    damaged = tmp_path / "out/last" / name
    content = damaged.read_bytes()
    damaged.unlink()
    if keep is not None:
        damaged.write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(KeyseqError, match=message) as caught:
        copying.run(tmp_path / "out", *SETTINGS)
    assert name in str(caught.value)


@pytest.mark.parametrize(("name", "refused"), [("last/state.json", True), ("log.jsonl", False)])
def test_nesting_without_end_is_told_or_passed_over(copying, whole, tmp_path, name, refused):
    shutil.copytree(whole, tmp_path / "out")
    (tmp_path / "out" / name).write_bytes(b"\xff\n[5]\n" * (not refused) + b"[" * 100_000)
    with pytest.raises(KeyseqError, match="missing or damaged") if refused else nullcontext():
        copying.run(tmp_path / "out", *SETTINGS)


def test_settings_that_ask_for_any_amount_of_memory_are_refused_before_it_is_taken(whole, tmp_path):
    shutil.copytree(whole / "last", tmp_path / "out")
    settings = (tmp_path / "out" / "settings.toml").read_text()
    (tmp_path / "out" / "settings.toml").write_text(re.sub(r"(?m)^hidden_size = \d+", "hidden_size = 200000", settings))
    with pytest.raises(KeyseqError, match="belongs to a network with other settings"):
        load_network(tmp_path / "out")  # it would be 480 GB


def test_a_full_disk_leaves_the_earlier_checkpoint_whole(copying, tmp_path, monkeypatch):
    def full(_, path):
        path.write_bytes(b"beginning")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    def fill_disk(event):
        if event.kind == "step" and event.progress.step == 12:
            monkeypatch.setattr(checkpoint, "write_tensors", full)

    message = r"last.*cannot be written \(No space left on device\); the previous checkpoint is kept"
    with pytest.raises(KeyseqError, match=message):
        copying.run(tmp_path, *SETTINGS, report=fill_disk)
    assert state(tmp_path)["step"] == 10
    assert not list(tmp_path.glob(".last*"))
    monkeypatch.undo()
    copying.run(tmp_path, *SETTINGS)
    assert state(tmp_path)["step"] == 24


def test_the_earlier_checkpoint_stands_in_while_one_is_replaced(tmp_path):
    (tmp_path / "last.old").mkdir()
    (tmp_path / "last.new").mkdir()
    assert latest(tmp_path / "last") == tmp_path / "last.old"
    (tmp_path / "last").mkdir()
    assert latest(tmp_path / "last") == tmp_path / "last"
    assert latest(tmp_path / "best") is None


def test_leftovers_of_a_killed_save_are_cleared(copying, whole):
    (whole / ".last.new.x7").mkdir()
    copying.run(whole, *SETTINGS)
    assert not (whole / ".last.new.x7").exists()


def test_progress_counts_validations_without_a_gain():
    progress = Progress(step=5).after_validation(0.2)
    assert (progress.best, progress.best_step, progress.stale) == (0.2, 5, 0)
    later = Progress(step=6, best=0.2, best_step=5).after_validation(0.2)  # as good is no gain
    assert (later.best, later.best_step, later.stale) == (0.2, 5, 1)
