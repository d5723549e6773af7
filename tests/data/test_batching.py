import numpy as np
import pytest
import torch

from keyseq.config import Settings, TargetSettings, TrainingSettings
from keyseq.data.batching import Batches, collate
from keyseq.data.corpus import EncodedCorpus, encode
from keyseq.data.examples import Dropped, example
from keyseq.data.vocabulary import BOS, EOS, PAD, SEP, UNK, Vocabulary
from keyseq.types import Document

VOCABULARY = Vocabulary.from_words(["deep", "nets", "for", "graphs"])  # ids 5, 6, 7, 8; V = 9


def corpus(documents, settings=None):
    examples = [example(document, settings or TargetSettings(), Dropped()) for document in documents]
    parts = (examples[:2], examples[2:])
    return EncodedCorpus(VOCABULARY, [encode(part, VOCABULARY, Settings()) for part in parts])


DOCUMENTS = [
    # zeta and eta are outside the vocabulary: 9 and 10 in the first document, eta 9 in the second
    Document(id="1", body="deep zeta nets eta zeta", keyphrases=("zeta nets", "eta", "graphs", "unseen")),
    Document(id="2", body="eta for graphs", keyphrases=("graphs",)),
    Document(id="3", body="deep", keyphrases=("nets for",)),
]


def settings(paradigm="one2seq", **training):
    target = TargetSettings(paradigm=paradigm, shuffle_absent=False)
    return Settings(target=target, training=TrainingSettings(**training))


def test_a_batch_worked_out_by_hand():
    batch = Batches(corpus(DOCUMENTS), settings()).batch(np.array([0, 1]), epoch=0)
    assert batch.source.tolist() == [[5, UNK, 6, UNK, UNK], [UNK, 7, 8, PAD, PAD]]
    assert batch.source_extended.tolist() == [[5, 9, 6, 10, 9], [9, 7, 8, PAD, PAD]]
    assert batch.source_lengths.tolist() == [5, 3]
    assert batch.target_input.tolist() == [
        [BOS, UNK, 6, SEP, UNK, SEP, 8, SEP, UNK],
        [BOS, 8, PAD, PAD, PAD, PAD, PAD, PAD, PAD],
    ]
    assert batch.target_output.tolist() == [
        [9, 6, SEP, 10, SEP, 8, SEP, UNK, EOS],
        [8, EOS, PAD, PAD, PAD, PAD, PAD, PAD, PAD],
    ]
    assert batch.target_lengths.tolist() == [9, 2]
    assert all(tensor.dtype == torch.int64 for tensor in (batch.source, batch.target_output, batch.source_lengths))


def test_documents_are_found_across_the_parts_of_a_corpus():
    batch = Batches(corpus(DOCUMENTS), settings()).batch(np.array([2]), epoch=0)
    assert batch.source.tolist() == [[5]]
    assert batch.target_output.tolist() == [[6, 7, EOS]]


def test_one2one_has_an_example_for_each_phrase():
    batches = Batches(corpus(DOCUMENTS), settings("one2one"))
    assert len(batches) == 6
    batch = batches.batch(np.arange(6), epoch=0)
    assert [row[:length] for row, length in zip(batch.target_output.tolist(), batch.target_lengths, strict=True)] == [
        [9, 6, EOS],
        [10, EOS],
        [8, EOS],
        [UNK, EOS],
        [8, EOS],
        [6, 7, EOS],
    ]
    assert batch.source_lengths.tolist() == [5, 5, 5, 5, 3, 1]


def many(count=1000):
    lengths = np.random.default_rng(0).integers(1, 60, count)
    return corpus([Document(id="", body="deep " * length, keyphrases=("nets",)) for length in lengths.tolist()])


@pytest.mark.parametrize("training", [{"batch_size": 32}, {"batch_tokens": 500}])
def test_an_epoch_holds_each_example_once_in_an_order_that_depends_on_seed_and_epoch_alone(training):
    batches = Batches(many(), settings(**training))
    plan = batches.plan(3)
    assert sorted(np.concatenate(plan).tolist()) == list(range(1000))
    again = Batches(many(), settings(**training)).plan(3)
    assert [batch.tolist() for batch in again] == [batch.tolist() for batch in plan]
    assert [batch.tolist() for batch in batches.plan(4)] != [batch.tolist() for batch in plan]
    other = Batches(many(), settings(seed=1, **training)).plan(3)
    assert [batch.tolist() for batch in other] != [batch.tolist() for batch in plan]


def test_batches_by_tokens_never_exceed_them_and_use_them():
    batches = Batches(many(), settings(batch_tokens=500))
    padded = [batch.numel() for batch in (batches.batch(members, 0).source for members in batches.plan(0))]
    assert max(padded) <= 500
    assert np.mean(padded) > 400


def test_a_document_longer_than_the_tokens_of_a_batch_comes_alone():
    batches = Batches(many(50), settings(batch_tokens=10))
    plan = batches.plan(0)
    assert sum(map(len, plan)) == 50
    assert all(len(members) == 1 or batches.batch(members, 0).source.numel() <= 10 for members in plan)


def test_buckets_keep_padding_low():
    batches = Batches(many(), settings(batch_size=32))
    padding = [(batch.source == PAD).float().mean() for batch in (batches.batch(b, 0) for b in batches.plan(0))]
    assert np.mean(padding) < 0.1  # a random order pads about half


def test_collate_takes_rows_without_targets():
    batch = collate([np.array([5], dtype=np.uint32)], [np.array([], dtype=np.uint32)], 9)
    assert batch.target_input.tolist() == [[BOS]]
    assert batch.target_output.tolist() == [[EOS]]
