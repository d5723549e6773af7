"""What is reused is found by its content: keys change with whatever changes a result, and with nothing else."""

import json
import os
from dataclasses import replace

import pytest

from keyseq.experiments.budget import Scale
from keyseq.experiments.corpora import LocatedCorpus, Training, beginning
from keyseq.experiments.prediction_cache import prediction_key
from keyseq.experiments.training import Ready, network_key
from keyseq.experiments.workspace import Workspace, code, key
from keyseq.types import Document


@pytest.fixture
def learned(tmp_path):
    for name in ("train", "valid"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"title": name, "keywords": ["a"]}) + "\n")
    return Training(*(LocatedCorpus("scholar", "kp20k", tmp_path / f"{name}.jsonl") for name in ("train", "valid")))


@pytest.mark.parametrize(
    ("changes", "same", "reason"),
    [
        ((), True, "the same again"),
        (("training.threads=2", "training.log_every=7", "training.checkpoint_every=9"), True, "how it is carried out"),
        (("order.share=1",), True, "what is learnt afterwards"),
        (("training.seed=1",), False, "other weights"),
        (("loss.orthogonal=0.3",), False, "another loss"),
        (("training.steps=5",), False, "another budget"),
    ],
)
def test_a_network_s_key_follows_the_settings_that_matter(learned, changes, same, reason):
    keys = [network_key(learned, Scale().settings("catseq", given)) for given in ((), changes)]
    assert (keys[0] == keys[1]) is same, reason


def test_a_network_s_key_follows_the_content_of_its_corpora_not_their_dates(learned):
    settings = Scale().settings("catseq", ())
    before = network_key(learned, settings)
    os.utime(learned.train.path, (1, 1))
    assert network_key(learned, settings) == before
    for path in (learned.train.path, learned.valid.path):
        kept = path.read_text()
        path.write_text(kept + json.dumps({"title": "more", "keywords": ["b"]}) + "\n")
        assert network_key(learned, settings) != before
        path.write_text(kept)
    assert network_key(learned, settings) == before


def test_predictions_follow_system_decoding_and_text_but_not_the_gold():
    system = Ready("scholar", "k1", is_network=True)
    documents = [Document(id="1", body="a text", keyphrases=("a",))]
    before = prediction_key(system, "greedy", documents)
    assert prediction_key(system, "greedy", [replace(documents[0], keyphrases=("b",))]) == before
    assert prediction_key(replace(system, place="elsewhere"), "greedy", documents) == before
    others = [
        prediction_key(system, "beam", documents),
        prediction_key(system, "greedy", [replace(documents[0], body="another text")]),
        prediction_key(replace(system, key="k2"), "greedy", documents),
    ]
    assert len({before, *others}) == 4


def test_the_beginning_of_a_corpus_is_written_once_and_anew_when_the_corpus_changes(tmp_path):
    path = tmp_path / "scholar.jsonl"
    path.write_text("".join(json.dumps({"id": str(n), "title": f"t{n}"}) + "\n" for n in range(5)))
    workspace = Workspace(data=tmp_path, out=tmp_path / "out")
    corpus = LocatedCorpus("scholar", "kp20k", path)
    first = beginning(corpus, 2, workspace)
    assert [document.id for document in first.documents()] == ["0", "1"]
    assert beginning(corpus, 2, workspace) == first
    path.write_text(json.dumps({"id": "new", "title": "t"}) + "\n")
    assert beginning(corpus, 2, workspace).path != first.path


def test_a_package_s_digest_follows_its_files(tmp_path, monkeypatch):
    monkeypatch.setattr("keyseq.experiments.workspace.__file__", str(tmp_path / "experiments" / "workspace.py"))
    (tmp_path / "invented").mkdir()
    file = tmp_path / "invented" / "rank.py"
    file.write_text("1")
    before = code.__wrapped__("invented")
    assert code.__wrapped__("invented") == before
    file.write_text("2")
    assert code.__wrapped__("invented") != before


def test_a_key_does_not_depend_on_the_order_in_which_settings_are_named():
    assert key({"a": 1, "b": 2}) == key({"b": 2, "a": 1}) != key({"a": 1, "b": 3})
