"""Keyphrases ranked and filled up by what a system said."""

import pytest

from keyseq.data.filling import filled
from keyseq.types import Document


def document(*keyphrases):
    return Document(
        id="1", title="Graph colouring", body="Greedy algorithms colour planar graphs.", keyphrases=keyphrases
    )


def test_own_present_phrases_come_in_the_order_of_the_ranking_and_before_all_others():
    said = ["planar graphs", "greedy algorithms", "graph colouring"]
    assert filled(document("graph colouring", "planar graphs"), said, 0).keyphrases == (
        "planar graphs",
        "graph colouring",
    )


def test_what_the_system_found_fills_up_to_the_number_of_present_phrases():
    said = ["planar graphs", "colour", "greedy algorithms"]
    assert filled(document("graph colouring"), said, 3).keyphrases == ("graph colouring", "planar graphs", "colour")


def test_a_list_that_is_long_enough_gets_nothing_more():
    own = ("graph colouring", "planar graphs", "greedy algorithms")
    assert filled(document(*own), ["colour"], 2).keyphrases == own


def test_absent_phrases_of_its_own_come_last_and_none_are_added():
    said = ["chromatic number", "planar graphs", "np-hardness"]
    assert filled(document("register allocation", "chromatic number", "greedy algorithms"), said, 5).keyphrases == (
        "greedy algorithms",
        "planar graphs",
        "chromatic number",
        "register allocation",
    )


def test_what_was_found_can_take_the_place_of_its_own_present_phrases_but_not_of_absent_ones():
    said = ["colour", "planar graphs", "np-hardness"]
    own = document("register allocation", "graph colouring", "planar graphs")
    assert filled(own, said, 5, instead=True).keyphrases == ("colour", "planar graphs", "register allocation")


@pytest.mark.parametrize("said", ["planar graph", "Planar Graphs", "planar graphs (in the plane)"])
def test_the_same_phrase_in_another_form_is_not_added_again(said):
    assert filled(document("planar graphs"), [said], 5).keyphrases == ("planar graphs",)


def test_phrases_without_words_are_left_out():
    assert filled(document("(all)", "planar graphs"), ["", "(some)"], 5).keyphrases == ("planar graphs",)


def test_a_document_without_keyphrases_gets_those_that_the_system_found():
    bare = Document(id="1", body="Greedy algorithms colour planar graphs.")
    assert filled(bare, ["planar graphs", "np-hardness"], 5).keyphrases == ("planar graphs",)
