"""Small figures inside a report."""

import numpy as np
import pytest

from keyseq.evaluation.html.charts import histogram


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
    assert spoken in histogram(np.array(values), "title")
