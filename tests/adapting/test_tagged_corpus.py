"""A corpus that is read once: what is left out, and what is drawn."""

import numpy as np
import pytest
from tests.systems.tagged import documents

from keyseq.adapting.tagged_corpus import TaggedCorpus, read_corpus
from keyseq.data.overlap import text_digest
from keyseq.types import Document


def read(folder, corpus, size=20, seed=1, held_out=()):
    read_corpus(corpus, folder, "c.jsonl", size=size, seed=seed, held_out=held_out)
    return TaggedCorpus.open(folder)


@pytest.fixture
def corpus(tmp_path):
    every = [
        *documents(60),
        Document(id="bare", body="no tags"),
        Document(id="0", body="other text", keyphrases=("x",)),
    ]
    return read(tmp_path, [*every, every[3]])


def test_documents_without_tags_and_repeated_texts_are_left_out_and_counted(corpus):
    assert (len(corpus.store), corpus.untagged) == (61, 1)
    assert corpus.repeated == 1  # an id that comes twice, as that of the last but one, is nothing to go by


def test_the_sample_is_drawn_from_all_in_random_order(corpus):
    every = {document.body: number for number, document in enumerate(documents(60))}
    assert len(corpus.sample) == 20
    assert len(set(corpus.numbers.tolist())) == 20
    for number, document in zip(corpus.numbers.tolist(), corpus.sample, strict=True):
        assert every.get(document.body, 60) == number
    assert corpus.numbers.tolist() != sorted(corpus.numbers.tolist())
    assert max(corpus.numbers) > 30


def test_what_a_network_did_not_learn_from_comes_first(tmp_path):
    every = list({one.body: one for one in documents(60)}.values())
    apart = every[50:]
    corpus = read(tmp_path, every, held_out=[text_digest(one.text) for one in apart])
    assert (corpus.unseen, len(corpus.sample)) == (len(apart), len(apart) + 20)
    assert {one.body for one in corpus.sample[: len(apart)]} == {one.body for one in apart}
    assert corpus.seen(np.array([0, len(apart) - 1, len(apart)])).tolist() == [False, False, True]


def test_a_network_that_learnt_from_other_documents_has_seen_none_of_these(tmp_path):
    every = list(documents(60))
    corpus = read(tmp_path, every, held_out=[text_digest(every[7].text), "another", "a third"])
    assert corpus.unseen == 0
    assert not corpus.seen(np.arange(len(corpus.sample))).any()


def test_a_seed_draws_the_same_again_and_another_one_others(tmp_path):
    drawn = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / name).mkdir()
        drawn.append(read(tmp_path / name, documents(60), seed=seed).numbers.tolist())
    assert drawn[0] == drawn[1] != drawn[2]
