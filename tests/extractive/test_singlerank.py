"""SingleRank: sums of words by hand."""

import pytest

import keyseq
from keyseq.extractive.graph import word_scores
from keyseq.extractive.reading import Reading
from keyseq.extractive.singlerank import SingleRankSettings

TEXT = "Deep networks learn graphs. Deep networks and graphs are large. Trees are small."


@pytest.mark.parametrize(("name", "restart"), [("singlerank", "uniform"), ("positionrank", "position")])
def test_a_phrase_has_the_sum_of_its_words_in_the_counted_graph(name, restart):
    scores = word_scores(Reading(TEXT), SingleRankSettings(), restart, counted=True)
    [phrases] = keyseq.load(name).predict([TEXT])
    by_text = {phrase.text: phrase.score for phrase in phrases}
    best = scores["deep"] + scores["network"]
    assert by_text == pytest.approx(
        {"Deep networks": 1.0, "graphs": scores["graph"] / best, "Trees": scores["tree"] / best}
    )


@pytest.mark.parametrize("name", ["singlerank", "positionrank", "firstphrases"])
@pytest.mark.parametrize("text", ["", "…!?", "\ud800", "cats " * 5_000])
def test_any_text_has_an_answer(name, text):
    [phrases] = keyseq.load(name).predict([text])
    assert bool(phrases) is ("cats" in text)
