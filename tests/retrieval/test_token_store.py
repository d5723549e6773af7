"""A corpus as numbers on disk: what was read is what counting finds there."""

import pytest
from tests.retrieval.corpus import DOCUMENTS, stored

from keyseq.errors import DataError
from keyseq.retrieval import token_store
from keyseq.retrieval.terms import words_of
from keyseq.retrieval.token_store import CountedKeyphrase, TokenStore
from keyseq.text.hashing import phrase_hash
from keyseq.types import Document


def test_each_document_comes_back_as_its_words(tmp_path):
    store = stored(tmp_path)
    assert len(store) == 3
    for kept, document in zip(store.documents(), DOCUMENTS, strict=True):
        assert kept.hashes.tolist() == words_of(document).hashes.tolist()
        assert kept.title == words_of(document).title


def test_keyphrases_are_counted_by_document_and_stem_the_most_frequent_first(tmp_path):
    # "Green Park" and "green park" of one document are one keyphrase, which counts once there
    assert stored(tmp_path).keyphrases == [
        CountedKeyphrase(("citi",), "cities", 2),
        CountedKeyphrase(("green", "park"), "green parks", 2),
        CountedKeyphrase(("bird",), "birds", 1),
        CountedKeyphrase(("urban", "growth"), "urban growth", 1),
    ]


def test_the_keyphrases_of_each_document_are_kept_as_numbers(tmp_path):
    store = stored(tmp_path)
    assert store.gold_offsets.tolist() == [0, 2, 4, 6]
    assert store.gold[2:4].tolist() == [phrase_hash(["citi"]), phrase_hash(["urban", "growth"])]


def test_a_folder_is_read_again_without_the_corpus(tmp_path):
    first, again = stored(tmp_path), TokenStore.open(tmp_path)
    assert again.keyphrases == first.keyphrases
    assert again.document(2).hashes.tolist() == first.document(2).hashes.tolist()


@pytest.mark.parametrize("phrase", ["", "...", "2020", "one two three four five six seven"])
def test_numbers_marks_and_sentences_are_no_labels(phrase, tmp_path):
    store = stored(tmp_path, [Document(id="a", body="x", keyphrases=(phrase, "birds"))])
    assert [one.text for one in store.keyphrases] == ["birds"]


def test_a_document_without_words_is_a_document(tmp_path):
    store = stored(tmp_path, [Document(id="a", keyphrases=("birds",))])
    assert [words.hashes.tolist() for words in store.documents()] == [[]]


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], "the corpus has no documents to learn from"),
        ([Document(id="a", body="birds")], "no document of the corpus has keyphrases to learn from"),
    ],
)
def test_a_corpus_with_nothing_to_learn_is_refused(documents, message, tmp_path):
    with pytest.raises(DataError) as error:
        stored(tmp_path, documents)
    assert str(error.value) == message


def test_rare_keyphrases_are_forgotten_when_there_are_too_many(tmp_path, monkeypatch):
    monkeypatch.setattr(token_store, "MOST_FORMS", 3)
    # the fourth form comes with the last document: all that only one document had until then are forgotten
    assert {one.text for one in stored(tmp_path).keyphrases} == {"cities", "green parks"}
