"""Runs as a whole: fine-tuning, early stopping, what a folder holds, and what cannot be trained on."""

import json
import math
from pathlib import Path

import pytest
import torch
from filelock import FileLock

from keyseq.config import load_settings
from keyseq.data.parallel import Work
from keyseq.data.vocabulary import Vocabulary
from keyseq.errors import KeyseqError
from keyseq.network.storage import load_network
from keyseq.training.logs import read_log
from keyseq.training.start import Files, RunOptions, train
from keyseq.training.steps import NotFiniteError, Steps

SHORT = ("training.steps=10", "training.validate_every=5", "training.log_every=2")


@pytest.fixture(scope="module")
def first(copying, tmp_path_factory):
    out = tmp_path_factory.mktemp("first")
    copying.run(out, *SHORT, "model.vocabulary=60", drawn=True)
    return out


def test_a_run_leaves_networks_logs_and_a_picture(first):
    assert {path.name for path in first.iterdir()} >= {"last", "best", "log.jsonl", "tensorboard", "curves.png"}
    assert (first / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert list((first / "tensorboard").glob("events.*"))
    lines = list(read_log(first / "log.jsonl"))
    assert [line["step"] for line in lines if line["kind"] == "train"] == [2, 4, 6, 8, 10]
    assert [line["step"] for line in lines if line["kind"] == "valid"] == [5, 10]
    trained = next(line for line in lines if line["kind"] == "train")
    assert {"nll", "orthogonal", "semantic", "loss", "learning_rate", "documents_per_second"} <= set(trained)


def test_the_best_network_can_be_used_by_itself(first):
    stored = load_network(first / "best")
    assert len(stored.vocabulary) == 60
    assert stored.settings == load_settings(first / "best/settings.toml")
    assert not (first / "best/optimizer.safetensors").exists()


def test_the_best_network_is_the_one_of_the_best_validation(copying, tmp_path):
    outcome = copying.run(tmp_path, "training.steps=60", "training.validate_every=10", "training.batch_size=16")
    scores = {
        line["step"]: line["present.f1@o"] for line in read_log(tmp_path / "log.jsonl") if line["kind"] == "valid"
    }
    assert outcome.progress.best == max(scores.values()) > 0
    assert scores[outcome.progress.best_step] == outcome.progress.best
    assert json.loads((tmp_path / "best/state.json").read_text())["progress"]["step"] == outcome.progress.best_step


def test_patience_stops_a_run_that_gains_nothing(copying, tmp_path):
    outcome = copying.run(
        tmp_path, "training.steps=50", "training.validate_every=2", "training.patience=3", "training.learning_rate=0"
    )
    assert outcome.progress.step == 8  # the first validation is the best, three more are not better


def test_checkpoints_come_by_the_clock_as_well(copying, tmp_path):
    saved = []
    copying.run(
        tmp_path,
        "training.steps=4",
        "training.checkpoint_every=0",
        "training.checkpoint_minutes=1e-9",
        report=lambda event: saved.append(event.progress.step) if event.kind == "saved" else None,
    )
    assert saved == [1, 2, 3, 4]


def test_fine_tuning_with_the_vocabulary_kept(first, topics, tmp_path):
    topics.run(tmp_path, *SHORT, start=first / "best")
    assert Vocabulary.load(tmp_path / "last/vocabulary.txt") == Vocabulary.load(first / "best/vocabulary.txt")


def test_fine_tuning_begins_with_the_weights_of_the_other_network(first, topics, tmp_path):
    topics.run(tmp_path, "training.steps=1", "training.learning_rate=0", start=first / "best", new_words=12)
    old, new = load_network(first / "best"), load_network(tmp_path / "last")
    assert new.vocabulary.words[:60] == old.vocabulary.words
    assert len(new.vocabulary) == 72
    assert "translation" in new.vocabulary
    old_weights, new_weights = old.network.state_dict(), new.network.state_dict()
    for name, tensor in old_weights.items():
        assert torch.equal(new_weights[name][: len(tensor)], tensor), name
    assert new_weights["embedding.weight"].shape[0] == new_weights["pointer.vocabulary.bias"].shape[0] == 72


@pytest.mark.parametrize(
    "joins", ["target_encoder", "input_feeding", "coverage", "review", "extractor", "generated_words"]
)
def test_a_piece_can_join_a_trained_network_which_generates_the_same_at_first(joins, copying, tmp_path):
    plain, joined = tmp_path / "plain", tmp_path / "joined"
    still = ("training.steps=1", "training.learning_rate=0")
    copying.run(plain, *still, "model.target_encoder=false", "loss.semantic=0")
    without = () if joins == "target_encoder" else ("model.target_encoder=false", "loss.semantic=0")
    copying.run(joined, *still, *without, f"model.{joins}=true", start=plain / "last")
    old, new = (load_network(folder / "last") for folder in (plain, joined))
    assert getattr(new.settings.model, joins)
    outcomes = [_outcome(stored.network.eval()) for stored in (old, new)]
    torch.testing.assert_close(*outcomes, rtol=1e-6, atol=1e-7)  # more columns are summed in another order


def _outcome(network):
    """The decoder's state and attention after two words; the second step knows what the first one attended to."""
    encoded = network.encode(torch.tensor([[7, 8, 9]]), torch.tensor([3]))
    memory, state = network.remember(encoded, torch.tensor([[7, 8, 9]])), network.start(encoded)
    for word in (8, 9):
        decoded, state = network.step(torch.tensor([[word]]), state, memory)
    return torch.cat([state["hidden"], decoded.log_attention, decoded.log_copying, decoded.readout], dim=-1)


def test_only_the_named_weights_are_trained_and_a_killed_run_goes_on_with_them(first, copying, tmp_path):
    only = ("model.vocabulary=60", "model.generated_words=true", "training.only=pieces.generated_words")
    copying.run(tmp_path, *SHORT, *only, "training.steps=4", start=first / "best")
    events = []
    copying.run(tmp_path, *SHORT, *only, start=first / "best", report=events.append)
    assert " of them trained)" in events[0].note
    old, new = (load_network(folder).network.state_dict() for folder in (first / "best", tmp_path / "last"))
    assert {name for name in new if name not in old or not torch.equal(old[name], new[name])} == {
        "pieces.generated_words.gate.weight",
        "pieces.generated_words.gate.bias",
    }
    assert new["pieces.generated_words.gate.weight"].any()


def test_training_nothing_is_refused_with_the_names_there_are(copying, tmp_path):
    with pytest.raises(KeyseqError, match=r"training.only=attention: no weight .* it has decoder.attention.key, "):
        copying.run(tmp_path, *SHORT, "training.only=attention")


def test_fine_tuning_a_network_of_other_sizes_is_refused(first, topics, tmp_path):
    with pytest.raises(KeyseqError, match=r"other settings: .*; train with the settings of that network"):
        topics.run(tmp_path, *SHORT, "model.hidden_size=30", start=first / "best")


def test_two_runs_cannot_write_into_one_folder(copying, tmp_path):
    with FileLock(tmp_path / ".lock"), pytest.raises(KeyseqError, match="another run is training into this folder"):
        copying.run(tmp_path, *SHORT)


def test_a_loss_that_is_no_number_keeps_the_last_checkpoint_and_says_what_to_try(copying, tmp_path, monkeypatch):
    take = Steps.take

    def spoiled(self, whole, step):
        if step == 8:
            next(self._network.parameters()).data.fill_(math.nan)
        return take(self, whole, step)

    monkeypatch.setattr(Steps, "take", spoiled)
    with pytest.raises(NotFiniteError) as caught:
        copying.run(tmp_path, *SHORT, "training.checkpoint_every=3")
    message = str(caught.value)
    assert "stopped before step 8: the loss is nan" in message
    assert f"the checkpoint of step 6 is kept in {tmp_path / 'last'}" in message
    assert "learning_rate" in message
    network = load_network(tmp_path / "last").network
    assert all(tensor.isfinite().all() for tensor in network.state_dict().values())


def corpus(path, *documents):
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return path


GOOD = {"id": "1", "title": "deep nets", "abstract": "for graphs", "keywords": ["nets"]}


@pytest.mark.parametrize(
    ("documents", "overrides", "message"),
    [
        ([{**GOOD, "keywords": []}], [], r"no document to train on \(1 with no keyphrases\)"),
        ([{**GOOD, "keywords": ["="]}], [], r"no document to train on \(1 with no keyphrase passed the filter\)"),
        ([], [], "no document"),
        ([GOOD], ["model.vocabulary=5"], "model.vocabulary must be at least 6"),
        ([GOOD], ["training.batchsize=5"], "did you mean 'batch_size'"),
    ],
)
def test_what_cannot_be_trained_on_is_one_sentence(tmp_path, documents, overrides, message):
    train_file = corpus(tmp_path / "train.jsonl", *documents)
    files = Files(train=[train_file], valid=corpus(tmp_path / "valid.jsonl", GOOD), out=tmp_path / "out")
    with pytest.raises(KeyseqError, match=message) as caught:
        train(load_settings("tiny", overrides), files, RunOptions(work=Work(processes=1)))
    assert "\n" not in str(caught.value)


def test_missing_files_are_named(tmp_path):
    good = corpus(tmp_path / "good.jsonl", GOOD)
    for train_file, valid_file, missing in (
        (Path("none.jsonl"), good, "none"),
        (good, Path("nowhere.jsonl"), "nowhere"),
    ):
        files = Files(train=[train_file], valid=valid_file, out=tmp_path / "out")
        with pytest.raises(KeyseqError, match=missing):
            train(load_settings("tiny"), files, RunOptions(work=Work(processes=1)))


def test_bad_records_are_passed_over_on_request_and_counted(tmp_path):
    files = Files(
        train=[corpus(tmp_path / "train.jsonl", GOOD)],
        valid=corpus(tmp_path / "valid.jsonl", GOOD),
        out=tmp_path / "out",
    )
    for file in (files.train[0], files.valid):
        file.write_text("{broken\n" + file.read_text())
    settings = load_settings("tiny", ["training.steps=1", "training.threads=1"])
    with pytest.raises(KeyseqError, match=r"valid\.jsonl:1"):
        train(settings, files, RunOptions(work=Work(processes=1)))
    assert train(settings, files, RunOptions(work=Work(processes=1, skip_bad=True))).skipped == 2


def test_embeddings_begin_with_the_vectors_of_a_file_and_the_others_at_random(copying, first, tmp_path):
    vectors = tmp_path / "vectors.txt"
    words = Vocabulary.load(first / "last/vocabulary.txt").words[5:]
    vectors.write_text("".join(f"{word} {place} {place % 3} {place % 7}\n" for place, word in enumerate(words[:-1])))
    settings = ("training.steps=1", "model.vocabulary=60", "model.embedding_size=2", "training.learning_rate=0")
    copying.run(tmp_path / "with", *settings, vectors=vectors)
    copying.run(tmp_path / "without", *settings)
    began, at_random = (load_network(tmp_path / name / "last").network.embedding.weight for name in ("with", "without"))
    assert torch.corrcoef(torch.stack([began[5:-1, 0], torch.arange(float(len(words) - 1))]))[0, 1].abs() > 0.99
    assert torch.equal(began[-1], at_random[-1])


def test_training_documents_that_are_validated_on_are_told_when_they_are_encoded(copying, tmp_path, caplog):
    lines = copying.train.read_text().splitlines(keepends=True)
    (tmp_path / "train.jsonl").write_text("".join([*lines, *copying.valid.read_text().splitlines(keepends=True)[:3]]))
    files = Files(train=[tmp_path / "train.jsonl"], valid=copying.valid, out=tmp_path / "run")
    settings = load_settings("tiny", ["training.steps=1", "training.threads=1"])
    train(settings, files, RunOptions(work=Work(processes=1)))
    [told] = [record.getMessage() for record in caplog.records if "validation document" in record.getMessage()]
    assert told.startswith("3 training documents have the title or text of a validation document")
    assert f"keyseq data leaks {tmp_path / 'train.jsonl'} --against {copying.valid}" in told
    caplog.clear()
    train(settings, files, RunOptions(work=Work(processes=1)))
    assert not caplog.records  # the corpus was there already
