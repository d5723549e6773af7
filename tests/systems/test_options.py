"""Which phrases are wanted, and what a system must know to give enough of them."""

import pytest

from keyseq.extractive.textrank import TextRankSettings
from keyseq.systems.neural import NeuralSettings
from keyseq.systems.options import Options
from keyseq.types import Phrase

PHRASES = [
    Phrase(text="social robots", score=0.9, present=True, spans=((0, 13),)),
    Phrase(text="trust", score=0.4999999, present=False),
    Phrase(text="older people", score=0.2, present=True, spans=((20, 32),)),
]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(), ["social robots", "trust", "older people"]),  # what the system decided
        (Options(top=1), ["social robots"]),
        (Options(min_score=0.5), ["social robots", "trust"]),  # as it is written out, 0.5
        (Options(present=True), ["social robots", "older people"]),
        (Options(present=False), ["trust"]),
        (Options(deny=("Social robot",), top=1), ["trust"]),  # by stems, and the next one moves up
        (Options(top=1, present=False), ["trust"]),  # the first absent one, not none
    ],
)
def test_a_selection_keeps_what_was_asked_for(options, expected):
    assert [phrase.text for phrase in options.select(PHRASES)] == expected


def test_an_extractive_system_gives_as_many_more_as_may_be_denied():
    assert Options(top=3, deny=("a", "b")).settings(TextRankSettings) == {"top": 5}


def test_a_network_leaves_out_itself_what_is_not_wanted():
    settings = Options(top=3, present=False, deny=("a",)).settings(NeuralSettings)
    assert settings == {"top": 4, "present": False, "absent": True, "deny": ("a",)}
