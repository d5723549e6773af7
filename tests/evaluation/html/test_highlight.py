"""Whether marks stand where the phrases are."""

import pytest

from keyseq.evaluation.html.highlight import marked
from keyseq.text.presence import SourceText


def hit(text):
    return f'<mark class="hit" title="hit">{text}</mark>'


def miss(text):
    return f'<mark class="miss" title="missed">{text}</mark>'


@pytest.mark.parametrize(
    ("text", "phrases", "expected", "reason"),
    [
        ("We train Neural Networks.", [("hit", "neural network")], f"We train {hit('Neural Networks')}.", "by stems"),
        ("a net, a net", [("miss", "net")], f"a {miss('net')}, a {miss('net')}", "wherever it stands"),
        ("networking", [("hit", "net")], "networking", "whole words only"),
        ("x < y & net", [("hit", "net")], f"x &lt; y &amp; {hit('net')}", "the text is escaped"),
        ("a deep net", [("miss", "deep net"), ("hit", "deep")], f"a {hit('deep')}{miss(' net')}", "a hit covers"),
        ("a deep net", [("hit", "deep"), ("miss", "deep net")], f"a {hit('deep')}{miss(' net')}", "in any order"),
        ("", [("hit", "net")], "", "no text"),
        ("text", [("hit", "")], "text", "an empty phrase is nowhere"),
    ],
)
def test_marks(text, phrases, expected, reason):
    assert marked(SourceText(text), phrases) == expected, reason
