"""Keyphraseness of a small corpus, worked out by hand."""

import numpy as np
import pytest
from tests.retrieval.corpus import DOCUMENTS, stored

from keyseq.retrieval import counting
from keyseq.retrieval.counting import RunCounts
from keyseq.text.hashing import phrase_hash
from keyseq.types import Document


def of(known, *phrases):
    keys = np.array([phrase_hash(phrase.split()) for phrase in phrases], dtype=np.uint32)
    return list(zip(*(values.tolist() for values in known.of_phrases(keys)), strict=True))


def count(store, given, contained):
    return RunCounts.of(store, contained).keyphraseness(given)


def test_documents_are_counted_that_have_a_phrase_as_keyphrase_and_that_contain_it(tmp_path):
    known = count(stored(tmp_path), 1, 1)
    assert known.documents == 3
    assert of(known, "green park", "citi", "larg citi", "urban growth", "tree") == [
        (2, 2),
        (2, 2),
        (0, 2),
        (1, 0),
        (0, 0),
    ]


def test_rare_phrases_are_left_out(tmp_path):
    known = count(stored(tmp_path), 2, 2)
    assert of(known, "bird", "nest", "larg", "citi") == [(0, 0), (0, 0), (0, 2), (2, 2)]
    assert len(known.phrases) == 6  # green, park, green park, larg, citi, larg citi


def test_no_run_goes_across_a_mark_or_ends_in_a_stop_word(tmp_path):
    known = count(stored(tmp_path), 1, 1)
    assert of(known, "park of", "park of larg", "park the park", "nest in green") == [(0, 0), (0, 1), (0, 0), (0, 1)]


def test_a_keyphrase_of_five_words_is_counted_in_the_texts_too(tmp_path):
    # another run of five words is not: only keyphrases of that length can be worth their place
    long = Document(id="a", body="red birds nest in green parks", keyphrases=("red birds nest in green",))
    known = count(stored(tmp_path, [long]), 1, 1)
    assert of(known, "red bird nest in green", "bird nest in green park") == [(1, 1), (0, 0)]


def test_words_are_counted_at_the_ends_of_keyphrases(tmp_path):
    known = count(stored(tmp_path), 1, 1)
    keys = np.array([phrase_hash([word]) for word in ("green", "park", "citi")], dtype=np.uint32)
    begins, ends = known.of_words(keys)
    assert (begins.tolist(), ends.tolist()) == ([2, 0, 2], [0, 2, 2])


@pytest.mark.parametrize(("name", "value"), [("BUCKETS", 2), ("CHUNK", 1)])
def test_counts_stay_exact_where_runs_share_a_place_and_documents_come_in_chunks(name, value, tmp_path, monkeypatch):
    exact = count(stored(tmp_path), 2, 2)
    monkeypatch.setattr(counting, name, value)
    again = count(stored(tmp_path), 2, 2)
    assert values(again) == values(exact)


@pytest.mark.parametrize("apart", [[], [0], [3], [1, 3], [0, 1, 2]])
@pytest.mark.parametrize("least", [1, 2])
def test_a_corpus_without_some_documents_is_counted_as_if_they_had_never_been(apart, least, tmp_path):
    long = "red birds nest in green"  # a keyphrase of one document that another contains: forgotten with the first
    documents = [*DOCUMENTS, Document(id="d", title=long, keyphrases=(long, "nests")), Document(id="e", body=long)]
    for name in ("all", "part"):
        (tmp_path / name).mkdir()
    rest = RunCounts.of(stored(tmp_path / "all", documents), least).without(np.array(apart, dtype=np.int64))
    kept = [one for number, one in enumerate(documents) if number not in apart]
    alone = stored(tmp_path / "part", kept)
    assert values(rest.keyphraseness(least)) == values(count(alone, least, least))
    every, own = ([(one.stems, one.documents) for one in store.keyphrases] for store in (rest.store, alone))
    assert every == own


def values(known):
    return {name: np.asarray(value).tolist() for name, value in vars(known).items()}
