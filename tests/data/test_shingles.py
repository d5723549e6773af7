import numpy as np
import pytest

from keyseq.data.shingles import LENGTH, SAMPLED, alike, shingles, sketch

TEXT = " ".join(f"word{letter}{other}" for letter in "abcdefghij" for other in "abcdefghij")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("one two", 1),
        ("one two three four five", 1),
        ("one two three four five six seven", 3),
        ("one two three four five one two three four five", 5 + 1 - 1),  # the last run is the first again
    ],
)
def test_a_text_has_a_shingle_for_each_five_words_in_a_row(text, count):
    assert len(shingles(text)) == count


def test_typesetting_does_not_count():
    tokenised = "we walk , on <digit> legs ( or more ) over the ice ."
    assert np.array_equal(shingles("We walk, on 14 legs (or more) over the ice."), shingles(tokenised))


def test_the_order_of_words_counts():
    assert alike(shingles("one two three four five"), shingles("five four three two one")) == 0


def test_alike_is_the_share_of_the_shorter_text():
    words = TEXT.split()
    part = " ".join(words[:54])
    assert alike(shingles(TEXT), shingles(part)) == 1
    half = " ".join([*words[:29], *(word[::-1] for word in words[:21])])  # 25 runs of 46 are the text's
    assert alike(shingles(TEXT), shingles(half)) == pytest.approx(25 / 46)
    assert alike(shingles(""), shingles(TEXT)) == 0


def test_a_sketch_of_a_part_is_a_part_of_the_sketch():
    words = TEXT.split()
    whole, part = sketch(shingles(TEXT)), sketch(shingles(" ".join(words[:60])))
    assert np.isin(part[:-1], whole).all()  # the last is of the text as a whole
    assert (len(words) - LENGTH + 1) / SAMPLED / 2 < len(whole) < (len(words) - LENGTH + 1) / SAMPLED * 2


def test_a_sketch_of_equal_short_texts_is_never_empty():
    assert np.array_equal(sketch(shingles("two words")), sketch(shingles("Two words!")))
    assert not np.array_equal(sketch(shingles("two words")), sketch(shingles("other words")))
