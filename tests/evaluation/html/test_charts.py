"""Small figures inside a report."""

import numpy as np
import pytest

from keyseq.evaluation.html.charts import histogram, interval
from keyseq.evaluation.significance import Interval


@pytest.mark.parametrize(
    ("values", "spoken"),
    [
        ([0.6], "1 from 60 to 70"),  # which binary fractions put just below 0.6
        ([0.3, 0.7], "1 from 30 to 40"),
        ([1.0, np.nan], "1 from 90 to 100"),
        ([0.0, 0.05], "2 from 0 to 10"),
    ],
)
def test_a_value_stands_in_the_bar_that_begins_with_it(values, spoken):
    assert spoken in histogram(np.array(values), "title", "present.f1@5")


def test_both_axes_of_a_histogram_say_what_they_count():
    drawn = histogram(np.array([0.6, 0.2]), "title", "present.f1@5")
    assert ">present.f1@5 of a document<" in drawn
    assert ">documents<" in drawn
    assert [f">{percent} %<" in drawn for percent in range(0, 101, 20)] == [True] * 6


def test_a_scale_has_its_ends_written_below():
    drawn = interval(0.4, Interval(0.3, 0.5), (0, 0.6), ("0 %", "60 %"))
    assert ">0 %<" in drawn
    assert ">60 %<" in drawn
    assert 'cx="105.0"' in drawn


def test_a_scale_of_equal_ends_up_to_rounding_is_a_point():
    drawn = interval(0.1 + 0.2, Interval(0.3, 0.1 + 0.2), (0.3, 0.1 + 0.2), ("30 %", "30 %"))
    assert 'class="interval"' in drawn
    assert drawn.count('x2="5.0"') == 1
