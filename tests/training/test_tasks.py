"""Steps of titles between those of keyphrases."""

import json

import numpy as np
import pytest

from keyseq.errors import KeyseqError
from keyseq.network.storage import read_tensors
from keyseq.training.logs import read_log
from keyseq.training.tasks import TitleBatches

WORDS = ["bal", "bel", "bil", "bol", "bul", "dal", "del", "dil", "dol"]
PLAIN = ("model.target_encoder=false", "loss.orthogonal=0", "loss.semantic=0", "model.vocabulary=120")
SHORT = ("training.steps=6", "training.log_every=2", "training.validate_every=6", "training.batch_size=8")
SHORT += ("training.validate_documents=4",)


class Planned:
    """Three batches in an even epoch, two in an odd one."""

    def plan(self, epoch):
        return [np.array([number]) for number in range(3 - epoch % 2)]

    def batch(self, members, epoch):
        return int(members[0]), epoch


def test_which_titles_a_step_learns_is_a_function_of_the_step():
    titles = TitleBatches(Planned(), 0.5)
    steps = [step for step in range(1, 15) if titles.is_due(step)]
    assert steps == [2, 4, 6, 8, 10, 12, 14]
    found = [titles.batch(step) for step in steps]
    assert found == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert [TitleBatches(Planned(), 0.5).batch(step) for step in steps] == found
    assert titles.batch(4) == (1, 0)
    assert sum(TitleBatches(Planned(), 0.3).is_due(step) for step in range(1, 101)) == 30


def weights(out):
    return read_tensors(out / "last/model.safetensors")


def test_without_a_share_the_network_is_catseq_bit_for_bit(copying, tmp_path):
    copying.run(tmp_path / "catseq", *SHORT, *PLAIN)
    copying.run(tmp_path / "semi", *SHORT, *PLAIN, "model.titles=true")
    with_titles = weights(tmp_path / "semi")
    assert all(with_titles[name].equal(value) for name, value in weights(tmp_path / "catseq").items())


def test_titles_of_unlabelled_documents_are_learnt(copying, tmp_path):
    """They say the first words of their texts; keyphrases are learnt beside them, and each task is logged."""
    lines = [{"id": str(n), "title": WORDS[n % 9], "abstract": f"{WORDS[n % 9]} {WORDS[n % 7]}"} for n in range(60)]
    (tmp_path / "titles.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    titles = ("model.titles=true", "training.titles=0.5", "training.steps=120", "training.validate_every=120")
    copying.run(tmp_path / "run", *SHORT, *PLAIN, *titles, titles=[tmp_path / "titles.jsonl"])
    logged = [line for line in read_log(tmp_path / "run/log.jsonl") if line["kind"] == "train"]
    assert logged[-1]["titles"] < 0.3 * logged[0]["titles"]
    assert logged[-1]["nll"] < 0.7 * logged[0]["nll"]


def test_files_of_titles_that_nothing_reads_are_refused(copying, tmp_path):
    with pytest.raises(KeyseqError, match=r"--titles needs training\.titles, the share of steps"):
        copying.run(tmp_path / "run", *SHORT, *PLAIN, titles=[copying.train])
    assert not (tmp_path / "run").exists(), "refused before a corpus is encoded"
