"""KEA: features by hand, ties, parts, and what it learns."""

import numpy as np
import pytest
from tests.extractive.invented import documents

import keyseq
from keyseq.errors import DataError
from keyseq.extractive.candidates import find_candidates
from keyseq.extractive.frequencies import DocumentFrequencies
from keyseq.extractive.kea import ORIGINAL, Kea, KeaSettings, features, train
from keyseq.extractive.naive_bayes import NaiveBayes
from keyseq.extractive.reading import Reading
from keyseq.types import Document

TEXT = "cats see dogs. dogs see white birds."  # nine words, the full stops counted
TABLE = DocumentFrequencies(documents=15, counts={"cat": 1, "dog": 7, "white": 3, "bird": 7})
UNDECIDED = NaiveBayes(np.array([0.5, 0.5]), (np.array([]),) * 2, (np.ones((1, 2)),) * 2)


@pytest.fixture(scope="module")
def kea():
    return train(documents())


def test_features_by_hand():
    reading = Reading(TEXT)
    candidates = find_candidates(reading, KeaSettings())
    assert [" ".join(one.stems) for one in candidates] == ["cat", "dog", "white bird"]
    expected = [[1 / 9 * 3, 0], [2 / 9 * 1, 2 / 9], [1 / 9 * (2 + 1), 6 / 9]]
    assert features(reading, candidates, TABLE) == pytest.approx(np.array(expected))


def test_of_equally_probable_ones_the_higher_tfidf_comes_first():
    [phrases] = Kea(KeaSettings(), TABLE, UNDECIDED).predict([TEXT])
    assert [phrase.text for phrase in phrases] == ["cats", "white birds", "dogs"]
    assert {phrase.score for phrase in phrases} == {0.5}  # the probability, not a share of the best


def test_the_original_takes_runs_of_words_and_leaves_out_parts_of_better_ones():
    assert (ORIGINAL.candidates, ORIGINAL.rarity) == ("ngrams", "phrase")
    [phrases] = Kea(ORIGINAL, TABLE, UNDECIDED).with_settings(top=50).predict([TEXT])
    [all_of_them] = Kea(KeaSettings(candidates="ngrams", parts="kept", top=50), TABLE, UNDECIDED).predict([TEXT])
    texts = [phrase.text for phrase in phrases]
    assert {"cats see dogs", "white birds", "birds", "see"} <= {phrase.text for phrase in all_of_them}
    assert "cats see dogs" in texts
    assert not {"cats", "birds", "see dogs"} & set(texts)


def test_it_learns_that_keyphrases_are_early_and_rare(kea):
    text = "On silver boats . Many people in the old harbour saw the evening light. They like silver boats."
    [phrases] = kea.predict([text])
    assert phrases[0].text == "silver boats"
    assert phrases[0].score > 0.5 > phrases[-1].score
    assert [text[start:end] for start, end in phrases[0].spans] == ["silver boats"] * 2


def test_a_folder_gives_the_same_again(kea, tmp_path):
    kea.save(tmp_path / "kea")
    again = keyseq.load(str(tmp_path / "kea"))
    held = [document.text for document in documents()]
    assert again.predict(held) == kea.predict(held)
    assert again.settings == kea.settings
    assert isinstance(again, keyseq.System)
    [two] = keyseq.load(str(tmp_path / "kea"), top=2).predict(held[:1])
    assert two == kea.predict(held[:1])[0][:2]


@pytest.mark.parametrize("text", ["", " ", "…!?", "7 " * 50, "\ud800"])
def test_any_text_has_an_answer(kea, text):
    assert all(phrase.present for phrase in kea.predict([text])[0])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([Document(id="1", body="cats", keyphrases=("dogs",))], "nothing to learn"),
        ([Document(id="1", body="", keyphrases=("dogs",))], "nothing to learn"),
        ([], "no documents"),
    ],
)
def test_documents_that_teach_nothing_are_told(given, message):
    with pytest.raises(DataError, match=message):
        train(given)
