"""Maui: its nine features by hand, free and with a vocabulary."""

import subprocess
import sys

import numpy as np
import pytest
from tests.extractive.invented import KINDS, THINGS, documents

import keyseq
from keyseq.errors import KeyseqError
from keyseq.extractive.frequencies import DocumentFrequencies
from keyseq.extractive.maui import FEATURES, Counted, Knowledge, MauiSettings, features, train
from keyseq.extractive.reading import Reading
from keyseq.types import Document
from keyseq.vocabularies.building import build_vocabulary
from keyseq.vocabularies.concept import ALTERNATIVE, RELATED, Concept, ConceptLabel

TEXT = "cats see dogs. dogs see white birds."  # nine words, the full stops counted
KNOWLEDGE = Knowledge(
    DocumentFrequencies(documents=15, counts={"cat": 1, "dog": 7, "white": 3, "bird": 7}),
    DocumentFrequencies(documents=15, counts={"dog": 4, "hound": 2, "white bird": 1}, longest=2),
)
SETTINGS = MauiSettings(trees=5, share=1.0, leaf=1)


@pytest.fixture(scope="module")
def maui():
    return train(documents(), SETTINGS)


@pytest.fixture(scope="module")
def terms():
    kinds = [
        Concept("", (ConceptLabel(f"{kind} {thing}"), ConceptLabel(f"{kind}-made {thing}", ALTERNATIVE)))
        for kind in KINDS
        for thing in THINGS
    ]
    light = Concept("urn:light", (ConceptLabel("light"),), ((RELATED, "weather"),))
    return build_vocabulary([*kinds, light, Concept("", (ConceptLabel("weather"),))], "terms")


@pytest.fixture(scope="module")
def controlled(terms):
    return train(documents(), SETTINGS, terms)


def test_features_by_hand():
    counted = [
        Counted([("dog",), ("hound",)], 2, [2, 4], degree=3),
        Counted([("white", "bird")], 1, [6]),
    ]
    dogs, birds = features(Reading(TEXT), counted, KNOWLEDGE)
    assert dict(zip(FEATURES, dogs, strict=True)) == pytest.approx(
        {
            "tf": 2 / 9,
            "idf": 1.0,  # log2(16/8)
            "tfidf": 2 / 9,
            "first": 2 / 9,
            "last": 4 / 9,
            "spread": 2 / 9,
            "length": 1,
            "keyphraseness": 4 + 2,  # under either label
            "degree": 3,
        }
    )
    assert birds == pytest.approx(np.array([1 / 9, 3, 3 / 9, 6 / 9, 6 / 9, 0, 2, 1, 0]))


def test_a_documents_own_keyphrases_do_not_tell_of_themselves():
    """In training, the document is one of the 15: 6 of 14 others have the word, and 3 others were given it."""
    [dogs] = features(Reading(TEXT), [Counted([("dog",)], 2, [2, 4])], KNOWLEDGE, frozenset({("dog",)}))
    measured = dict(zip(FEATURES, dogs, strict=True))
    assert measured["keyphraseness"] == 3
    assert 2 ** measured["idf"] == pytest.approx(15 / 7)


@pytest.mark.parametrize(
    ("known", "expected"),
    [(9, {"Blue harbour cranes", "harbour"}), (10, {"Blue harbour cranes"}), (0, {"Blue harbour cranes"})],
)
def test_what_others_were_given_is_a_candidate_inside_a_longer_phrase_too(known, expected):
    given = [Document(id=str(n), body="The harbour. Green harbour cranes.", keyphrases=("harbour",)) for n in range(9)]
    settings = MauiSettings(known=known, parts="kept", trees=2, leaf=1)
    [phrases] = train(given, settings).predict(["Blue harbour cranes."])
    assert {phrase.text for phrase in phrases} == expected


def test_it_learns_to_rank(maui):
    text = "On silver boats . Many people in the old harbour saw the evening light. They talked of silver boats."
    [phrases] = maui.predict([text])
    assert phrases[0].text == "silver boats"
    assert phrases[0].score > 0.5
    assert all(phrase.present for phrase in phrases)


def test_a_folder_gives_the_same_again_without_scikit_learn(maui, tmp_path):
    maui.save(tmp_path / "maui")
    held = [document.text for document in documents()]
    assert keyseq.load(str(tmp_path / "maui")).predict(held) == maui.predict(held)
    program = (
        "import sys; sys.modules['sklearn'] = None; import keyseq; "
        f"print(keyseq.load({str(tmp_path / 'maui')!r}).predict([{held[0]!r}])[0][0].text); "
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split("\n")[:2] == [maui.predict(held[:1])[0][0].text, "False"], done.stderr


def test_with_a_vocabulary_only_its_terms_are_given_by_their_names(controlled):
    text = "On glass-made kites . The glass-made kites in the evening light, and a quiet street."
    [phrases] = controlled.predict([text])
    assert {phrase.text for phrase in phrases} == {"glass kites", "light"}
    first, second = phrases
    assert (first.text, first.matched, first.uri) == ("glass kites", "glass-made kites", None)
    assert [text[start:end] for start, end in first.spans] == ["glass-made kites"] * 2
    assert (second.uri, [text[start:end] for start, end in second.spans]) == ("urn:light", ["light"])


def test_labels_are_not_taken_for_words_of_the_same_porter_stem(controlled):
    """Here "lights" is an inflected form of a label; "lighting" and "lighten" are other words."""
    assert [phrase.text for phrase in controlled.predict(["The lights went on."])[0]] == ["light"]
    assert controlled.predict(["Lighting lightens the room."]) == [[]]


def test_a_vocabulary_is_kept_in_the_folder(controlled, tmp_path):
    controlled.save(tmp_path / "controlled")
    again = keyseq.load(str(tmp_path / "controlled"))
    held = [document.text for document in documents()]
    assert again.predict(held) == controlled.predict(held)
    assert again.predict(["nothing of it"]) == [[]]


def test_a_folder_of_an_earlier_version_has_its_vocabulary_as_a_table(controlled, tmp_path):
    controlled.save(tmp_path / "controlled")
    (tmp_path / "controlled/terms.vocabulary").unlink()
    (tmp_path / "controlled/vocabulary.tsv").write_text("lamps\tlight; lanterns\tweather\nweather\n")
    [[phrase]] = keyseq.load(str(tmp_path / "controlled")).predict(["Lanterns in the street."])
    assert (phrase.text, phrase.matched) == ("lamps", "lanterns")


def test_a_missing_scikit_learn_is_told_before_the_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(KeyseqError, match=r"install it with pip install 'keyseq\[baselines\]'"):
        train(iter(lambda: pytest.fail("read before it was checked"), None))
