"""Reliability by bin and the expected calibration error, by hand."""

import numpy as np
import pytest

from keyseq.ranking.reliability import Bin, calibration_error, reliability


def test_predictions_are_compared_with_outcomes_by_bin():
    found = reliability(np.array([0.1, 0.2, 0.7, 0.9]), np.array([False, True, True, True]), bins=2)
    assert found == [Bin(2, pytest.approx(0.15), 0.5), Bin(2, pytest.approx(0.8), 1.0)]
    # (2 × 0.35 + 2 × 0.2) / 4
    assert calibration_error(found) == pytest.approx(0.275)


def test_a_probability_of_one_belongs_to_the_last_bin():
    assert reliability(np.array([1.0]), np.array([True])) == [Bin(1, 1.0, 1.0)]


def test_nothing_predicted_is_no_error():
    assert calibration_error(reliability(np.zeros(0), np.zeros(0, dtype=bool))) == 0
