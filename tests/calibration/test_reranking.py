import numpy as np
import pytest

from keyseq.calibration.reranking import Found, fit


def rows(*values):
    return np.array([[share, 0.0, 0.0] for share in values]).reshape(-1, 3)


def test_what_is_learnt_puts_documents_own_phrases_first():
    # the published order has the own phrase second, the share tells it
    known = [Found(rows(-3, -1, -2), np.array([False, True, False]), 1)] * 5
    order = fit(known)
    assert (order.r_precision, order.r_precision_published, order.documents) == (1, 0, 5)
    assert order.weights.share > 0
    assert order.weights.is_learnt


def test_as_many_first_phrases_count_as_the_document_has():
    found = Found(rows(-1, -2, -3), np.array([True, False, True]), 2)
    assert found.r_precision(np.array([3.0, 2.0, 1.0])) == 0.5
    assert found.r_precision(np.array([3.0, 1.0, 2.0])) == 1
    assert Found(rows(-1), np.array([True]), 4).r_precision(np.array([1.0])) == 0.25


@pytest.mark.parametrize("own", [[], [False, False], [True, True], [True, False]])
def test_the_published_order_stays_where_nothing_is_better(own):
    order = fit([Found(rows(*range(len(own))), np.array(own, dtype=bool), 1)] * 3)
    assert not order.weights.is_learnt
    assert order.r_precision == order.r_precision_published
