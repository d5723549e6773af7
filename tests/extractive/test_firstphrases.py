"""FirstPhrases: the order of the text."""

import pytest

import keyseq

TEXT = "Deep networks learn graphs. Deep networks and graphs are large. Trees are small."


def test_phrases_come_in_the_order_of_the_text():
    """The text has sixteen words with its full stops; three stand before "graphs", twelve before "Trees"."""
    [phrases] = keyseq.load("firstphrases").predict([TEXT])
    assert [phrase.text for phrase in phrases] == ["Deep networks", "graphs", "Trees"]
    assert [phrase.score for phrase in phrases] == pytest.approx([1.0, 13 / 16, 4 / 16])
