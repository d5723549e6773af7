"""What is reused is found by its content: keys change with whatever changes a result, and with nothing else."""

import json
import os
from dataclasses import replace

import pytest

from keyseq.experiments.budget import Scale
from keyseq.experiments.corpora import LocatedCorpus, Training, beginning
from keyseq.experiments.prediction_cache import prediction_key
from keyseq.experiments.training import Ready, network_key
from keyseq.experiments.workspace import Workspace, key
from keyseq.systems.kinds import KINDS
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


def ranker(folder, frequencies="one"):
    """Whatever a folder holds decides; here it only has to look like a ranker's."""
    folder.mkdir()
    (folder / "ranker.toml").write_text("[kea]")
    (folder / "frequencies.txt.gz").write_text(frequencies)
    return Ready(str(folder))


def test_predictions_follow_system_decoding_and_text_but_not_the_gold(tmp_path):
    system = Ready("scholar-network")
    documents = [Document(id="1", body="a text", keyphrases=("a",))]
    before = prediction_key(system, "greedy", documents)
    assert prediction_key(system, "greedy", [replace(documents[0], keyphrases=("b",))]) == before
    others = [
        prediction_key(system, "beam", documents),
        prediction_key(system, "greedy", [replace(documents[0], body="another text")]),
        prediction_key(Ready("questions-network"), "greedy", documents),
        prediction_key(Ready("tfidf"), "greedy", documents),
        prediction_key(ranker(tmp_path / "kea"), "greedy", documents),
    ]
    assert len({before, *others}) == 6


def test_predictions_follow_what_a_folder_holds_not_where_it_is(tmp_path):
    documents = [Document(id="1", body="a text")]
    first = ranker(tmp_path / "first")
    before = prediction_key(first, "", documents)
    assert prediction_key(ranker(tmp_path / "second"), "", documents) == before
    assert prediction_key(ranker(tmp_path / "third", "another"), "", documents) != before
    (tmp_path / "first" / "frequencies.txt.gz").write_text("learnt anew")
    assert prediction_key(first, "", documents) != before


@pytest.mark.parametrize(("place", "kind"), [("scholar-network", "network"), ("tfidf", "method")])
def test_predictions_follow_the_revision_that_a_kind_declares(place, kind, monkeypatch):
    documents = [Document(id="1", body="a text")]
    before = prediction_key(Ready(place), "greedy", documents)
    monkeypatch.setitem(KINDS, kind, replace(KINDS[kind], revision=KINDS[kind].revision + 1))
    assert prediction_key(Ready(place), "greedy", documents) != before


def test_a_system_without_decodings_is_decoded_once():
    documents = [Document(id="1", body="a text")]
    assert prediction_key(Ready("tfidf"), "greedy", documents) == prediction_key(Ready("tfidf"), "beam", documents)


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


def test_a_key_does_not_depend_on_the_order_in_which_settings_are_named():
    assert key({"a": 1, "b": 2}) == key({"b": 2, "a": 1}) != key({"a": 1, "b": 3})
