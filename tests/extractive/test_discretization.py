"""Cut points by hand: the entropy that a cut saves against the bits that tell of it."""

import math

import numpy as np
import pytest

from keyseq.extractive.discretization import bins, cut_points

NO, YES = False, True


def entropy(share):
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share) if 0 < share < 1 else 0.0


@pytest.mark.parametrize(
    ("values", "labels", "expected"),
    [
        # 4 no, 4 yes: a gain of 1 bit against (log2 7 + log2 7 - 2)/8 = 0.45 for a cut into two pure halves
        ([1, 2, 3, 4, 5, 6, 7, 8], [NO] * 4 + [YES] * 4, [4.5]),
        # the order in which values are given is of no matter
        ([8, 7, 6, 5, 4, 3, 2, 1], [YES] * 4 + [NO] * 4, [4.5]),
        # 1 no, 1 yes: a gain of 1 bit against (log2 1 + log2 7 - 2)/2 = 0.40
        ([1, 2], [NO, YES], [1.5]),
        # in turns, no cut saves much
        ([1, 2, 3, 4, 5, 6, 7, 8], [NO, YES] * 4, []),
        # equal values cannot be cut
        ([1, 1, 1, 1], [NO, YES, NO, YES], []),
        # one class has nothing to tell apart
        ([1, 2, 3, 4], [YES] * 4, []),
        ([], [], []),
        # three pure parts: the first cut saves 0.25 bits for (log2 47 + log2 7 + 0.16)/48 = 0.18, the second one 1 bit
        (list(range(48)), [NO] * 16 + [YES] * 16 + [NO] * 16, [15.5, 31.5]),
    ],
)
def test_cuts_worked_out_by_hand(values, labels, expected):
    assert cut_points(np.array(values, dtype=float), np.array(labels, dtype=bool)) == expected


@pytest.mark.parametrize(("wrong", "cut"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_cut_must_save_more_bits_than_it_takes(wrong, cut):
    """8 no below 8 yes, of which some of each have the other label: the formula of Fayyad and Irani says up to when."""
    below, above = [NO] * (8 - wrong) + [YES] * wrong, [NO] * wrong + [YES] * (8 - wrong)
    values = [0.0] * 8 + [1.0] * 8
    half = entropy(wrong / 8)
    classes = 2 if wrong else 1
    gain = 1 - half
    cost = (math.log2(15) + math.log2(3**2 - 2) - (2 * 1 - 2 * classes * half)) / 16
    assert (gain > cost) is cut
    assert cut_points(np.array(values), np.array(below + above)) == ([0.5] if cut else [])


def test_a_value_on_a_border_is_below_it():
    assert bins(np.array([0.0, 0.5, 0.6, 2.0]), np.array([0.5, 1.0])).tolist() == [0, 0, 1, 2]
