import numpy as np
import pytest

from keyseq.calibration.ending import Margins, fit


def margins(*values):
    """Of phrases one after the other."""
    return Margins(np.arange(1, len(values) + 1), np.array(values))


@pytest.mark.parametrize(
    ("bonus", "growth", "count", "reason"),
    [
        (0, 0, 3, "the first place where the end is ahead"),
        (1.5, 0, 2, "1.5 makes up for the 1 that it was behind by"),
        (-9, 0, 4, "it is never ahead: all that was said"),
        (-3, 1.5, 3, "-3 + 1.5 × 3 + 0.5 is above 0, -3 + 1.5 × 2 - 1 is not"),
    ],
)
def test_where_a_sequence_would_end(bonus, growth, count, reason):
    assert margins(-4, -1, 0.5, 2).count(bonus, growth) == count, reason


def test_the_ending_is_the_one_with_the_smallest_error_in_the_number_of_phrases():
    noted = [margins(-4, -2, -0.5, 1), margins(-4, -0.6, -0.4, 1)]
    found = fit(noted, np.array([3, 3]))
    assert found.mae_uncalibrated == 1  # four phrases each
    assert found.mae == 0
    assert (found.ending.bonus, found.ending.growth) == (0.6, 0)  # 0.5 only draws level, 0.7 would stop one at two
    assert found.mae_mean_baseline == 0


def test_the_bonus_grows_no_faster_than_it_has_to():
    # the first document should stop at two, where the end is far behind, the second at four, where it is no nearer
    early, late = margins(-3, -2, 5), margins(-2, -2, -2, -2, 5)
    alone = fit([late], np.array([4]))
    assert (alone.mae, alone.ending.growth) == (0, 0.1)  # without growth it stops at one or at five
    both = fit([early, late], np.array([2, 4]))
    assert both.mae == 0.5  # no growth tells these apart: one of them is off by one
    assert both.ending.growth <= 0.1
