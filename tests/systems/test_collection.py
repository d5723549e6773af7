"""The keyphrases of many documents together: merged by stems, counted by document and year, beside a background."""

from collections import Counter
from dataclasses import replace

import pytest
from tests.ranking.handmade import keyphraseness

import keyseq
from keyseq.errors import KeyseqError
from keyseq.systems.auto import AutoSystem
from keyseq.systems.collection import CollectionCounts, known_to, together, trend
from keyseq.systems.registry import load
from keyseq.types import Document, Evidence, Phrase


def phrase(text, present=True):
    return Phrase(text=text, score=0.5, present=present)


def counts(*documents, **settings):
    found = CollectionCounts(**settings)
    for number, (year, *phrases) in enumerate(documents):
        given = [one if isinstance(one, Phrase) else phrase(one) for one in phrases]
        found.add(Document(id=str(number), body="text", year=year), given)
    return found


SEARCH = counts(
    (2019, "Heat pumps", "solar energy"),
    (2020, "heat pump", phrase("district heating", present=False)),
    (2020, "heat pumps", "heat pump", "solar energy"),
    (2021, "heat pumps", phrase("district heating", present=False)),
)
NONE = CollectionCounts()


def test_forms_of_a_phrase_are_one_which_is_counted_once_a_document():
    first, *_ = SEARCH.distinctive(NONE)
    assert (first.text, first.documents, first.share) == ("heat pumps", 4, 1.0)
    assert first.years == {2019: 1, 2020: 2, 2021: 1}


def test_absent_phrases_are_counted_and_said_to_be_absent():
    found = {one.text: one for one in SEARCH.distinctive(NONE)}
    assert (found["district heating"].documents, found["district heating"].absent) == (2, 2)
    assert found["solar energy"].absent == 0


def test_what_a_background_has_as_well_comes_last():
    background = counts(*[(None, "heat pumps")] * 30, (None, "wind"))
    found = SEARCH.distinctive(background)
    assert found[-1].text == "heat pumps"
    assert found[-1].background == 30


def test_counts_of_a_trained_system_are_a_background():
    known = keyphraseness(phrases=[("heat pump", 70, 80), ("solar energy", 1, 2)])
    found = {one.text: one for one in SEARCH.distinctive(known)}
    assert found["heat pumps"].background == 70
    assert found["solar energy"].score > found["heat pumps"].score


def test_phrases_of_too_few_documents_are_left_out():
    assert [one.text for one in SEARCH.distinctive(NONE, least=3)] == ["heat pumps"]
    assert len(SEARCH.distinctive(NONE, top=2)) == 2
    assert counts((None, "tides")).distinctive(NONE)[0].text == "tides"  # of a single document, all are given


def test_the_trend_is_the_slope_of_the_shares_by_hand():
    # shares 0, 1/2, 1 in years with one, two and one documents: a line with slope 1/2
    assert trend(Counter({2020: 1, 2021: 1}), Counter({2019: 1, 2020: 2, 2021: 1})) == pytest.approx(0.5)
    assert trend(Counter({2020: 1}), Counter({2020: 3})) is None
    assert trend(Counter(), Counter()) is None


def test_memory_is_bounded_by_forgetting_phrases_of_single_documents():
    found = counts(*[(None, "tides", f"only{letter}") for letter in "abcdefghijklmnopqrstuvwxyz"], most=10)
    assert found.distinctive(NONE)[0].documents == 26
    assert found.dropped >= 15


def test_forms_are_merged_by_the_stems_of_the_language_they_were_read_in():
    def french(text):
        return replace(phrase(text), evidence=Evidence(sources=("text",), system="french", language="fr"))

    found = counts((None, french("rivières urbaines")), (None, french("rivière urbaine"))).distinctive(NONE)
    assert [one.documents for one in found] == [2]


def test_the_background_of_texts_of_another_kind_is_what_their_language_has(monkeypatch):
    asked = []
    monkeypatch.setattr("keyseq.systems.collection.load", lambda name: asked.append(name) or load("textrank"))
    for language in ("fr", "de"):
        evidence = Evidence(sources=("text",), system="multilingual", language=language)
        with pytest.raises(KeyseqError, match="knows no documents"):
            known_to(AutoSystem(), counts((None, replace(phrase("parc éolien"), evidence=evidence))))
    assert asked == ["french", "multilingual"]


def test_a_system_for_any_language_knows_no_documents_to_compare_with():
    with pytest.raises(KeyseqError, match="multilingual knows no documents to compare with; give others"):
        known_to(load("multilingual"), NONE)


def test_a_system_that_learnt_from_no_documents_needs_a_background():
    texts = [Document(id=str(number), body="Heat pumps warm old houses.") for number in range(3)]
    with pytest.raises(KeyseqError, match="textrank knows no documents to compare with"):
        together(texts, "textrank")
    others = [Document(id="1", body="Tides move sand.")]
    [first, *_] = keyseq.together(texts, "textrank", background=others)
    assert first.documents == 3
    assert first.background == 0


def test_texts_need_not_be_documents_and_one_text_is_no_collection():
    background = [Document(id="1", body="Oak trees grow in old forests.")]
    found = together(["Heat pumps heat houses.", "A heat pump."], "tfidf", background=background, least=1)
    assert "heat pump" in found[0].text.lower()
    with pytest.raises(KeyseqError, match="texts are given as a list, not as a str"):
        together("Heat pumps heat houses.", "tfidf", background=background)
