"""Scores as probabilities: what share of the phrases of each score are gold keyphrases."""

import pytest

import keyseq

GOLD = [keyseq.Document(id="1", body="a", keyphrases=("social robots",))]


def phrase(text, score):
    return keyseq.Phrase(text=text, score=score, present=True)


def test_bins_compare_what_was_promised_with_what_came_true():
    diagram = keyseq.reliability(GOLD, [[phrase("Social robot", 0.9), phrase("older people", 0.1)]])
    assert diagram.phrases == 2
    assert diagram.error == pytest.approx(0.1)
    assert repr(diagram) == "ReliabilityDiagram(2 phrases, expected calibration error 0.100)"
    assert diagram.to_pandas().observed.tolist() == [0.0, 1.0]


def test_a_notebook_shows_a_diagram_without_matplotlib():
    html = keyseq.reliability(GOLD, [[phrase("social robots", 0.9)]])._repr_html_()
    assert html.count("<rect") == 1
    assert "1 phrases, mean score 0.90, 100% gold" in html


def test_phrases_without_scores_and_gold_without_keyphrases_are_refused():
    with pytest.raises(keyseq.KeyseqError, match="phrases with their scores"):
        keyseq.reliability(GOLD, [["social robots"]])
    with pytest.raises(keyseq.KeyseqError, match="document '1' has no gold keyphrases"):
        keyseq.reliability([keyseq.Document(id="1", body="a")], [[]])
