"""Candidates as phrases: how they are written, where they stand, what spoke for them."""

import pytest
from tests.ranking.handmade import LABELS, keyphraseness, number, pool, profiles

from keyseq.ranking.naming import Naming
from keyseq.ranking.pool import GeneratedPhrase, Known
from keyseq.types import Evidence


def named(phrase, candidates=None):
    candidates = candidates or pool()
    return Naming(candidates, LABELS).phrase(number(candidates, phrase), 0.5)


def test_a_phrase_of_the_text_is_written_as_the_text_mostly_has_it():
    # "Solar panels" twice, "SOLAR panels" once
    phrase = named("solar panels")
    assert (phrase.text, phrase.present, phrase.score) == ("Solar panels", True, 0.5)
    assert phrase.spans == ((0, 12), (15, 27), (78, 90))


def test_of_equally_frequent_forms_the_one_with_fewer_capitals_is_taken():
    bare = pool("Green Parks . We like green parks", "Green Parks", Known(keyphraseness()), ())
    assert named("green parks", bare).text == "green parks"


def test_a_label_is_written_as_the_corpus_has_it():
    phrase = named("solar energy")
    assert (phrase.text, phrase.present, phrase.spans) == ("solar energy", False, ())


def test_a_verb_of_the_text_is_written_as_the_noun_that_is_its_label():
    candidates = pool("Houses are heated by the sun in winter and summer", "", None, ())
    phrase = named("heated", candidates)
    assert (phrase.text, phrase.present, phrase.spans) == ("heating", True, ((11, 17),))


def test_of_a_noun_and_verbs_with_its_stem_the_noun_is_taken():
    candidates = pool("They heated houses. They heated rooms. The heating of rooms is new", "", None, ())
    assert named("heating", candidates).text == "heating"


def test_capitals_of_a_title_are_left_out_where_the_label_is_known():
    candidates = pool("Solar Panels . They are on houses", "Solar Panels", None, ())
    assert named("solar panels", candidates).text == "solar panels"


def test_a_generated_phrase_is_written_as_it_was_generated():
    assert named("photovoltaic cells").text == "photovoltaic cells"


def test_evidence_of_a_phrase_that_all_sources_have():
    assert named("solar panels").evidence == Evidence(
        sources=("text", "network", "profiles"),
        occurrences=3,
        in_title=True,
        keyphrase_of=4,
        contained_in=19,
        share=0.5,
        rank=1,
        terms=("house",),
    )


def test_evidence_of_a_label_whose_words_the_text_has_apart_has_no_rank():
    weights = {"solar": (1.0, {"house heating": 0.1}), "house": (1.0, {"solar panels": 1.0})}
    labels = ("solar panels", "house heating")
    candidates = pool(knowing=Known(keyphraseness(), profiles(weights, labels), most=1, scattered=1), generated=())
    evidence = Naming(candidates, labels).evidence(number(candidates, "house heating"))
    assert evidence == Evidence(sources=("profiles",), terms=("Solar",))


def test_evidence_of_phrases_of_one_source():
    assert named("solar energy").evidence == Evidence(sources=("profiles",), rank=2, terms=("Solar",))
    assert named("photovoltaic cells").evidence == Evidence(sources=("network",), share=0.75)
    assert named("owners").evidence == Evidence(sources=("text",), occurrences=1)


def generated_alone(words):
    """A phrase of which only the network knows."""
    return Naming(pool("", "", Known(keyphraseness()), (GeneratedPhrase(words, 0.5, 0.5),)), ()).phrase(0, 0.5)


@pytest.mark.parametrize("words", [("x",), ("3",), ("a", "1", "2"), ("<digit>", "cells"), ("w" * 101,), ("a@b",)])
def test_what_is_nothing_to_show_is_not_shown(words):
    assert generated_alone(words) is None


@pytest.mark.parametrize(
    "words", [("the", "of"), ("internet", "of"), ("a", ","), ("the", "robots"), ("do", "it", "yourself")]
)
def test_a_generated_phrase_begins_and_ends_with_words_that_tell_something(words):
    assert generated_alone(words) is None


def test_an_acronym_is_not_where_the_text_has_the_stop_word():
    knowing = Known(keyphraseness(), profiles({"firm": (1.0, {"IT": 1.0})}, ("IT",)))

    def spans(text):
        candidates = pool(text, "", knowing, ())
        return Naming(candidates, ("IT",)).phrase(number(candidates, "IT"), 0.5).spans

    assert spans("The IT of a firm, where it matters") == ((4, 6),)
    assert spans("A firm, where it matters") == ()
