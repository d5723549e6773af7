"""The speed of a run without its start, from the times at which its parts were there."""

import pytest
from benchmarks.batch import PART, pace


@pytest.mark.parametrize(
    ("ended", "hands", "left_over"),
    [
        ([107, 109, 111, 113], 1, 0),  # a start of 5 s, then a part every 2 s
        ([109, 109, 113, 113], 2, 0),  # the same by two that take 4 s each
        ([107, 109, 111, 112], 1, PART // 2),  # the last part is half of one
    ],
)
def test_the_start_is_told_apart_from_the_steady_speed(ended, hands, left_over):
    rate, start = pace(ended, begun=100, count=4 * PART - left_over, hands=hands)
    assert rate == pytest.approx(PART / 2)
    assert start == pytest.approx(5)
