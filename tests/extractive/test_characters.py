"""In scripts without spaces, what recurs is a candidate."""

import pytest

from keyseq.extractive.characters import recurring
from keyseq.extractive.reading import Reading


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("神经网络很好。神经网络", {"神经网络"}, "not the parts of what recurs as a whole"),
        ("神经网络。神经网络。神经", {"神经网络", "神经"}, "but those that recur more often"),
        ("图像。分类", set(), "nothing recurs"),
        ("新。新。新", set(), "a single character says too little"),
        ("ニューラル、ニューラル", {"ニューラ", "ューラル"}, "four characters at most, a long vowel's mark among them"),
    ],
)
def test_recurring_characters(text, expected, reason):
    reading = Reading(text)
    assert {reading.surface(*place) for place in recurring(reading)} == expected, reason


def test_words_between_spaces_are_left_to_others():
    assert list(recurring(Reading("a net, a net"))) == []
