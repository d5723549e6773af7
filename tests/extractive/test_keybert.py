"""KeyBERT through its package, with embeddings that count letters; and what is told if something is missing."""

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


@pytest.mark.usefixtures("letters")
def test_embeddings_that_cannot_be_had_are_one_sentence(monkeypatch):
    import keybert

    def fail(model):
        raise OSError(f"no such model:\n{model}")

    monkeypatch.setattr(keybert, "KeyBERT", fail)
    with pytest.raises(KeyseqError) as error:
        keyseq.load("keybert", model="mine").predict([TEXT])
    assert str(error.value) == "keybert.model 'mine' cannot be loaded (no such model: mine)"
