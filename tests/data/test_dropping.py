"""Keyphrases cut out of texts."""

import pytest

from keyseq.data.dropping import dropped
from keyseq.types import Document


def document(*keyphrases, title="Colouring planar graphs", body="A planar graph needs four colours, no more."):
    return Document(id="1", title=title, body=body, keyphrases=keyphrases)


def test_a_keyphrase_is_gone_from_title_and_text_in_all_its_forms_and_stays_a_keyphrase():
    without = dropped(document("planar graph"), 1, (0, 0))
    assert (without.title, without.body) == ("Colouring", "A needs four colours, no more.")
    assert without.keyphrases == ("planar graph",)


def test_keyphrases_that_overlap_in_the_text_are_cut_out_once():
    without = dropped(document("colouring planar graphs", "planar graphs", "graphs"), 1, (0, 0))
    assert (without.title, without.body) == ("", "A needs four colours, no more.")


@pytest.mark.parametrize(
    ("keyphrases", "rate", "why"),
    [
        (("planar graph",), 0, "nothing goes at a rate of 0"),
        (("four colour theorem",), 1, "it is not in the text"),
        (("graph needs no",), 1, "its words are, but not in a row"),
        (("(all)", ""), 1, "it has no words"),
        ((), 1, "there is no keyphrase"),
    ],
)
def test_texts_that_lose_nothing_stay_as_they_are(keyphrases, rate, why):
    spaced = document(*keyphrases, body="A planar  graph\nneeds four colours.")
    assert dropped(spaced, rate, (0, 0)) == spaced, why


def test_a_document_that_nobody_gave_keyphrases_stays_as_it_is():
    bare = Document(id="1", body="A planar graph.")
    assert dropped(bare, 1, (0, 0)) == bare


def test_the_key_decides_which_go_and_about_as_many_as_the_rate_says():
    words = [f"q{letter}q" for letter in "abcdefghijklmnopqrstuvwxyz"]
    whole = document(*words, title="", body=" ".join(words))
    kept = [len(dropped(whole, 0.7, (0, number)).body.split()) for number in range(100)]
    assert dropped(whole, 0.7, (0, 5)) == dropped(whole, 0.7, (0, 5))
    assert len(set(kept)) > 1
    assert sum(kept) / 2600 == pytest.approx(0.3, abs=0.03)
