"""Cosines of separator states, against values computed by hand."""

import math

import numpy as np
import pytest

from keyseq.analysis.separators import cosines, mean_matrix, off_diagonal


def test_cosines_by_hand():
    states = np.array([[3.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    half = math.sqrt(0.5)
    assert cosines(states) == pytest.approx(np.array([[1, 0, half], [0, 1, half], [half, half, 1]]))


def test_a_state_of_zeros_is_orthogonal_to_all():
    assert cosines(np.array([[0.0, 0.0], [1.0, 0.0]])).tolist() == [[0, 0], [0, 1]]


def test_the_mean_beside_the_diagonal_leaves_the_diagonal_out():
    assert off_diagonal(np.array([[1.0, 0.2], [0.4, 1.0]])) == pytest.approx(0.3)
    assert math.isnan(off_diagonal(np.array([[1.0]])))
    assert math.isnan(off_diagonal(np.zeros((0, 0))))


def test_the_mean_matrix_counts_only_documents_that_have_both_separators():
    matrices = [np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([[1.0]]), np.ones((3, 3))]
    mean, counts = mean_matrix(matrices, 2)
    assert mean == pytest.approx(np.array([[1.0, 0.75], [0.75, 1.0]]))
    assert counts.tolist() == [[3, 2], [2, 2]]
    assert math.isnan(mean_matrix(matrices[:2], 3)[0][2, 2])
