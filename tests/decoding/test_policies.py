import pytest

from keyseq.decoding.policies import Policy, policy
from keyseq.errors import KeyseqError


@pytest.mark.parametrize(
    ("name", "paradigm", "beam", "max_length"),
    [
        ("exhaustive", "one2seq", 50, 40),  # the paper's appendix
        ("exhaustive", "one2one", 200, 6),  # as in the work it compares with
        ("greedy", "one2seq", 1, 40),
        ("beam", "one2seq", 10, 40),
    ],
)
def test_published_widths_and_lengths(name, paradigm, beam, max_length):
    chosen = policy(name, paradigm)
    assert (chosen.beam, chosen.max_length, chosen.length_penalty) == (beam, max_length, 0)


def test_only_exhaustive_decoding_keeps_more_than_the_best_sequence():
    assert [policy(name).keep for name in ("greedy", "beam", "exhaustive")] == [1, 1, 500]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"beam": 0}, "'beam' must be 1 or more, not 0"),
        ({"max_length": -1}, "'max_length' must be 1 or more"),
        ({"temperature": -0.5}, "'temperature' must be 0 or more"),
        ({"stop": "never"}, "bound or count, not 'never'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, message):
    with pytest.raises(KeyseqError, match=message):
        Policy(**changes)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(KeyseqError, match="choose one of distinct, greedy, beam, exhaustive, sampling"):
        policy("magic")
