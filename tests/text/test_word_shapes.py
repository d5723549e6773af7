"""The shapes of words: characters, capitals, digits."""

from keyseq.text import word_shapes as module
from keyseq.text.stem import LONGEST_WORD
from keyseq.text.word_shapes import word_shapes


def test_characters_capitals_and_digits_are_told():
    assert word_shapes(["cell", "DNA", "p53", "²"]).tolist() == [
        [4, 0, 0, 0],
        [3, 1, 0, 1],
        [3, 0, 1, 0],
        [1, 0, 1, 0],
    ]
    assert word_shapes([]).shape == (0, 4)


def test_what_is_too_long_for_a_word_is_not_kept_in_memory():
    long = "A" * (LONGEST_WORD + 1)
    assert word_shapes([long]).tolist() == [[LONGEST_WORD + 1, 1, 0, 1]]
    assert long not in module._shapes
