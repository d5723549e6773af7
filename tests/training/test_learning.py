"""What training must achieve: tiny tasks learnt, and diversity where the paper promises it."""

import itertools

import numpy as np
import pytest
import torch

from keyseq.data.batching import Batches
from keyseq.data.preparation import Words, prepare
from keyseq.data.vocabulary import SEP
from keyseq.network.storage import load_network
from keyseq.training.logs import read_log

SHORT = ("model.vocabulary=120", "training.batch_size=16", "training.steps=200", "training.validate_every=200")
LONGER = ("training.batch_size=16", "training.steps=500", "training.validate_every=500")


def scores(out):
    return [line for line in read_log(out / "log.jsonl") if line["kind"] == "valid"][-1]


@pytest.fixture(scope="module")
def catseqd(copying, tmp_path_factory):
    out = tmp_path_factory.mktemp("catseqd")
    copying.run(out, *SHORT)
    return out


def test_copying_is_learnt_with_words_that_the_vocabulary_has_not(catseqd):
    assert scores(catseqd)["present.f1@m"] >= 0.95


def test_absent_phrases_are_learnt_from_the_words_that_mean_them(topics, tmp_path):
    topics.run(tmp_path, *LONGER, "target.order=alphabetical")
    assert scores(tmp_path)["absent.f1@m"] >= 0.95
    assert "present.f1@m" not in scores(tmp_path)


def test_one2one_learns_that_each_of_the_phrases_is_as_right(copying, tmp_path):
    copying.run(tmp_path, *SHORT, "target.paradigm=one2one")
    # a choice among three phrases of a word each, then their end, which is certain: ln 3 over two words
    assert scores(tmp_path)["loss"] == pytest.approx(np.log(3) / 2, abs=0.1)


def test_separator_states_of_catseqd_are_more_orthogonal_than_those_of_catseq(catseqd, copying, tmp_path):
    plain = ("model.target_encoder=false", "loss.orthogonal=0", "loss.semantic=0")
    copying.run(tmp_path, *SHORT, *plain)
    assert separator_similarity(catseqd, copying) < separator_similarity(tmp_path, copying) - 0.1


def separator_similarity(out, task):
    """The mean |cosine| of states of one document that emit <sep>."""
    stored = load_network(out / "best")
    stored.network.eval()
    corpus = prepare([task.valid], stored.settings, Words(known=stored.vocabulary), out / "corpus")
    batch = Batches(corpus, stored.settings).batch(np.arange(len(corpus)), 0)
    with torch.inference_mode():
        states = torch.nn.functional.normalize(stored.network(batch).states, dim=-1)
    similarities = []
    for row, separators in zip(states, batch.target_output == SEP, strict=True):
        chosen = row[separators]
        similarities += [abs(float(a @ b)) for a, b in itertools.combinations(chosen, 2)]
    return np.mean(similarities)


def test_a_network_that_reads_parts_of_speech_learns_to_copy_and_to_tag(copying, tmp_path):
    plain = ("model.target_encoder=false", "loss.orthogonal=0", "loss.semantic=0", "training.log_every=20")
    parts = ("model.tags=true", "loss.tags=0.3", "target.paradigm=one2one")
    copying.run(tmp_path, *SHORT, "training.steps=100", "training.validate_every=100", *plain, *parts)
    assert scores(tmp_path)["loss"] == pytest.approx(np.log(3) / 2, abs=0.1)
    trained = [line["tags"] for line in read_log(tmp_path / "log.jsonl") if line["kind"] == "train"]
    assert trained[-1] < 0.5 * trained[0]
