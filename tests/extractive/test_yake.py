"""YAKE through its package: its phrases with their places, or a sentence that says what to install."""

import sys

import pytest
import yake

import keyseq
from keyseq.errors import KeyseqError

TEXT = """Graph Matching Networks . We learn to match graphs. A graph matching network compares two graphs by
attention. Graph matching networks find similar graphs faster than kernels made by hand."""


def test_phrases_are_the_packages_in_its_order_with_their_places():
    theirs = [phrase for phrase, _ in yake.KeywordExtractor(n=2, top=5).extract_keywords(TEXT)]
    [phrases] = keyseq.load("yake", max_words=2, top=5).predict([TEXT])
    assert [phrase.text for phrase in phrases] == theirs
    assert all(phrase.present and phrase.spans for phrase in phrases)
    start, end = phrases[0].spans[0]
    assert TEXT[start:end].lower() == phrases[0].text.lower()


def test_scores_fall_from_one():
    [phrases] = keyseq.load("yake").predict([TEXT])
    scores = [phrase.score for phrase in phrases]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] < 1


@pytest.mark.parametrize("text", ["", "…", "7 7 7"])
def test_a_text_without_words_has_no_phrases(text):
    assert keyseq.load("yake").predict([text]) == [[]]


def test_documents_do_not_change_each_other():
    system = keyseq.load("yake")
    assert system.predict([TEXT, "Cats see dogs.", TEXT])[2] == system.predict([TEXT])[0]


def test_a_missing_package_is_one_sentence_that_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "yake", None)
    with pytest.raises(KeyseqError) as error:
        keyseq.load("yake")
    assert str(error.value) == "this needs yake: install it with pip install 'keyseq[baselines]'"


def test_a_setting_that_makes_no_sense_is_refused():
    with pytest.raises(KeyseqError, match=r"yake.max_words must be at least 1, not 0"):
        keyseq.load("yake", max_words=0)
