"""Which phrases are wanted."""

import pytest

from keyseq.errors import KeyseqError
from keyseq.text.selection import Selection
from keyseq.types import Phrase

PHRASES = [
    Phrase(text="social robots", score=0.9, present=True, spans=((0, 13),)),
    Phrase(text="trust", score=0.4999999, present=False),
    Phrase(text="older people", score=0.2, present=True, spans=((20, 32),)),
]


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(), ["social robots", "trust", "older people"]),  # what the system decided
        (Selection(top=1), ["social robots"]),
        (Selection(min_score=0.5), ["social robots", "trust"]),  # as it is written out, 0.5
        (Selection(present=True), ["social robots", "older people"]),
        (Selection(present=False), ["trust"]),
        (Selection(deny=("Social robot",), top=1), ["trust"]),  # by stems, and the next one moves up
        (Selection(top=1, present=False), ["trust"]),  # the first absent one, not none
    ],
)
def test_a_selection_keeps_what_was_asked_for(selection, expected):
    assert [phrase.text for phrase in selection.select(PHRASES)] == expected


def test_a_system_may_decide_how_many_unless_a_number_was_asked_for():
    assert len(Selection().select(PHRASES, most=2)) == 2
    assert len(Selection(top=1).select(PHRASES, most=2)) == 1


def test_no_more_phrases_are_made_than_wanted():
    made = iter(PHRASES)
    assert Selection(top=1).select(made) == PHRASES[:1]
    assert list(made) == PHRASES[1:]


def test_phrases_may_be_any_collection():
    assert Selection(deny=["a", "b"]) == Selection(deny=("a", "b"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"top": 0}, "top must be at least 1, not 0"),
        ({"top": "x"}, "top must be a whole number, not 'x'"),
        ({"top": True}, "top must be a whole number, not True"),
        ({"min_score": 7}, "min_score must be at most 1, not 7.0"),
        ({"min_score": -0.1}, "min_score must be at least 0, not -0.1"),
        ({"min_score": float("nan")}, "min_score must be a number, not nan"),
        ({"present": "no"}, "present must be true or false, not 'no'"),
        ({"deny": "robots"}, "deny must be a list of texts, not 'robots'"),
        ({"deny": [3]}, "deny must be a list of texts, not [3]"),
    ],
)
def test_a_bad_value_is_told_in_a_sentence(settings, message):
    with pytest.raises(KeyseqError) as error:
        Selection(**settings)
    assert str(error.value) == message
