"""TfIdf: occurrences times rarity, by hand and with tables of one's own."""

import pytest

import keyseq
from keyseq.errors import KeyseqError
from keyseq.extractive.frequencies import DocumentFrequencies
from keyseq.extractive.tfidf import TfIdf, TfIdfSettings

TEXT = "cats see dogs. dogs see white birds."


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.txt"
    counts = {"cat": 1, "dog": 7, "white": 3, "bird": 7, "white bird": 0}
    DocumentFrequencies(documents=15, counts=counts).save(path)
    return path


def scores(system, text=TEXT):
    return {phrase.text: phrase.score for phrase in system.predict([text])[0]}


def test_scores_by_hand(table):
    """cats: 1 × log2(16/2) = 3; dogs: 2 × log2(16/8) = 2; white birds: 1 × (log2(16/4) + log2(16/8)) = 3."""
    found = scores(keyseq.load("tfidf", frequencies=table))
    assert found == pytest.approx({"cats": 1.0, "white birds": 1.0, "dogs": 2 / 3})
    assert list(found) == ["cats", "white birds", "dogs"]  # of equal ones the first in the text


def test_a_table_of_phrases_gives_a_phrase_its_own_rarity(tmp_path):
    path = tmp_path / "phrases.txt"
    DocumentFrequencies(documents=15, counts={"cat": 1, "dog": 7, "white bird": 15}, longest=2).save(path)
    assert scores(keyseq.load("tfidf", frequencies=str(path)))["white birds"] == 0.0


def test_ngrams_are_counted_wherever_they_are(table):
    found = scores(keyseq.load("tfidf", frequencies=table, candidates="ngrams", top=50))
    assert {"white", "white birds", "dogs see white"} <= set(found)


def test_the_package_brings_a_table():
    text = "The experiments on graphene are simple. Graphene is used in experiments."
    assert next(iter(scores(TfIdf(), text))) == "graphene"


def test_all_words_in_all_documents_leave_the_order_of_the_text(tmp_path):
    path = tmp_path / "flat.txt"
    DocumentFrequencies(documents=1, counts={"cat": 1, "dog": 1, "white": 1, "bird": 1}).save(path)
    assert scores(keyseq.load("tfidf", frequencies=path)) == {"cats": 0.0, "dogs": 0.0, "white birds": 0.0}


def test_a_table_that_is_not_there_is_told_by_its_name():
    system = TfIdf(TfIdfSettings(frequencies="missing.txt.gz"))
    with pytest.raises(KeyseqError, match=r"missing.txt.gz: no such file"):
        system.predict([TEXT])
