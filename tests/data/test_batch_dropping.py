"""KPDrop in training, by hand."""

import json

import numpy as np
import pytest

from keyseq.config import load_settings
from keyseq.data.batch_dropping import MARK, PhraseDropping, left_over
from keyseq.data.batching import Batches
from keyseq.data.network_inputs import INPUTS, NetworkInput
from keyseq.data.parallel import Work
from keyseq.data.preparation import Words, prepare
from keyseq.data.vocabulary import SPECIALS, Vocabulary

KEY = (1, 2, 3)
VOCABULARY = Vocabulary([*SPECIALS, "neural", "network", "networks", "deep", "for", "graphs"])
NEURAL, NETWORK, NETWORKS, DEEP, FOR, GRAPHS, OUTSIDE = range(5, 12)
SOURCE = np.array([DEEP, NEURAL, NETWORKS, FOR, GRAPHS, NEURAL, NETWORK, OUTSIDE], dtype=np.uint32)


def dropping(rate):
    return PhraseDropping(VOCABULARY, load_settings("catseq", [f"target.drop={rate}"]).target)


def test_every_form_of_a_phrase_is_dropped_and_one_mark_is_left_for_each_run():
    """ "neural network" is dropped in both forms; "deep neural networks" goes with it, "graphs" stays."""
    positions = np.array([1, -1], dtype=np.int32)
    places, found = dropping(1).places(SOURCE, [2, 1], positions, KEY)
    assert places.tolist() == [0, -1, 3, 4, -1, 7]
    assert found.tolist() == [-1, -1]
    _, found = dropping(1).places(SOURCE, [2, 3, 1], np.array([1, 0, -1], dtype=np.int32), KEY)
    assert found.tolist() == [-1, -1, -1]


def test_phrases_that_stay_move_up():
    lots = np.random.default_rng(KEY).random(2)
    rate = lots.mean()  # drops one of the two phrases
    places, found = dropping(rate).places(SOURCE, [2, 1], np.array([1, 4], dtype=np.int32), KEY)
    if lots[0] < rate:
        assert (places.tolist(), found.tolist()) == ([0, -1, 3, 4, -1, 7], [-1, 3])
    else:
        assert (places.tolist(), found.tolist()) == ([0, 1, 2, 3, -1, 5, 6, 7], [1, -1])


def test_nothing_is_dropped_at_rate_0_and_words_outside_the_vocabulary_can_be():
    places, _ = dropping(0).places(SOURCE, [2], np.array([1], dtype=np.int32), KEY)
    assert places.tolist() == list(range(8))
    places, _ = dropping(1).places(SOURCE, [1], np.array([7], dtype=np.int32), KEY)
    assert places.tolist() == [*range(7), -1]


def test_inputs_along_the_source_lose_the_same_places():
    given = NetworkInput(SOURCE, {"tags": np.arange(10, 18, dtype=np.uint8), "title": np.array([NEURAL])})
    left = left_over(given, np.array([0, -1, 3]), [INPUTS["tags"], INPUTS["title"]])
    assert left.ids.tolist() == [DEEP, MARK, FOR]
    assert left.further["tags"].tolist() == [10, 0, 13]
    assert left.further["title"].tolist() == [NEURAL]


@pytest.mark.parametrize(("variant", "count"), [("replace", 2), ("append", 4)])
@pytest.mark.parametrize("paradigm", ["one2seq", "one2one", "one2set"])
def test_batches_are_a_function_of_the_epoch_and_absent_phrases_come_last(tmp_path, variant, count, paradigm):
    record = {"title": "", "abstract": "deep neural networks for graphs", "keywords": ["graphs", "neural network"]}
    (tmp_path / "train.jsonl").write_text("".join(json.dumps(record | {"id": str(n)}) + "\n" for n in range(2)))
    changes = [f"target.paradigm={paradigm}", f"target.drop_variant={variant}", "target.slots=4"]
    settings = load_settings("catseq", [*changes, "target.drop=0.5"])
    corpus = prepare([tmp_path / "train.jsonl"], settings, Words(size=30), tmp_path, Work(processes=1))
    batches = Batches(corpus, settings)
    assert len(batches) == count * (2 if paradigm == "one2one" else 1)
    members = np.arange(len(batches))
    epochs = [[batches.batch(members, epoch) for _ in range(2)] for epoch in range(6)]
    assert all(one.source_extended.equal(other.source_extended) for one, other in epochs)
    assert all(one.target_output.equal(other.target_output) for one, other in epochs)
    sources = {tuple(row) for batch, _ in epochs for row in batch.source_extended[-1:].tolist()}
    assert len(sources) > 1
    if variant == "append":
        assert all((batch.source_extended[:2] != MARK)[:, :5].all() for batch, _ in epochs)
    if paradigm == "one2seq":
        firsts = {corpus.vocabulary.words[batch.target_output[-1, 0]] for batch, _ in epochs}
        assert firsts == {"graphs", "neural"}, "the phrase that is left comes first"
