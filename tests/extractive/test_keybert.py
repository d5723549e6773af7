"""KeyBERT through its package, with embeddings that count letters; and what is told if something is missing."""

import socket
import sys

import numpy as np
import pytest

import keyseq
from keyseq.errors import KeyseqError
from keyseq.extractive.keybert import KeyBert, KeyBertSettings

TEXT = "Zebra pizza, zebra pizza. A quiet lane; a zebra."


@pytest.fixture(scope="module")
def letters():
    """A model of KeyBERT's own kind. What it would bring to load real ones is slow to import, and not needed."""
    with pytest.MonkeyPatch.context() as patch:
        for slow in ("sentence_transformers", "transformers"):
            patch.setitem(sys.modules, slow, None)
        from keybert.backend import BaseEmbedder

    class Letters(BaseEmbedder):
        def embed(self, documents, verbose=False):  # noqa: ARG002  # its signature
            return np.array(
                [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in documents]
            )

    return Letters()


def test_the_phrase_nearest_to_the_text_comes_first_with_its_places(letters):
    [phrases] = KeyBert(KeyBertSettings(max_words=2, top=4), letters).predict([TEXT])
    assert phrases[0].text == "zebra pizza"
    assert [TEXT[start:end] for start, end in phrases[0].spans] == ["Zebra pizza", "zebra pizza"]
    scores = [phrase.score for phrase in phrases]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_a_phrase_over_a_mark_or_a_stop_word_is_not_present(letters):
    """KeyBERT takes stop words and marks out before it makes phrases, so that some stand nowhere."""
    [phrases] = KeyBert(KeyBertSettings(max_words=2, top=20), letters).predict([TEXT])
    by_text = {phrase.text: phrase for phrase in phrases}
    assert not by_text["lane zebra"].present
    assert by_text["quiet lane"].present


def test_diversity_takes_phrases_that_differ(letters):
    alike, different = (
        [
            phrase.text
            for phrase in KeyBert(KeyBertSettings(max_words=2, top=2, diversity=by), letters).predict([TEXT])[0]
        ]
        for by in (0.0, 0.9)
    )
    assert alike != different


def test_a_text_without_words_has_no_phrases(letters):
    assert KeyBert(embeddings=letters).predict(["", "…"]) == [[], []]


def test_a_missing_package_is_one_sentence_that_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "keybert", None)
    with pytest.raises(KeyseqError) as error:
        keyseq.load("keybert")
    assert str(error.value) == "this needs keybert: install it with pip install 'keyseq[keybert]'"


def test_finding_30_a_model_that_is_not_there_is_told_at_once_without_a_request(monkeypatch):
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a model was asked for over the network"))
    with pytest.raises(KeyseqError) as error:
        keyseq.load("keybert", model="owner/mine").predict([TEXT])
    assert str(error.value) == (
        "the embedding model 'owner/mine' is not on this machine, and keyseq downloads none: put its folder on this "
        "machine and name that"
    )


def test_the_model_of_a_package_needs_no_settings():
    [phrases] = keyseq.load("keybert", top=3).predict([TEXT])
    assert "zebra" in phrases[0].text
