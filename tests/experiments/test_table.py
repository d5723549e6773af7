"""Measured, published, difference: by hand, in every layout."""

import pytest

from keyseq.experiments.table import Section, Value


@pytest.mark.parametrize(
    ("measured", "published", "difference", "shown"),
    [
        (33.25, 31.9, 1.35, "+1.4"),
        (30.0, 31.9, -1.9, "−1.9"),
        (31.9, 31.9, 0.0, "+0.0"),
        (None, 31.9, None, None),
        (33.25, None, None, None),
    ],
)
def test_a_difference_is_measured_less_published(measured, published, difference, shown):
    value = Value(row="catseq", column="f1", measured=measured, published=published)
    assert value.difference == (difference if difference is None else pytest.approx(difference))
    assert value.shown_difference == shown


def test_a_score_shows_half_its_interval_and_what_it_is_beside_the_baseline():
    value = Value(row="catseq", column="f1", measured=33.254, interval=(32.0, 35.0), baseline="tfidf", differs=True)
    assert value.shown == "33.25 ± 1.50†"
    assert Value(row="tfidf", column="f1", measured=20.0, baseline="tfidf").shown == "20.00‡"


def test_the_mean_of_several_seeds_shows_their_range():
    value = Value(row="catseq", column="f1", measured=33.0, interval=(32.0, 35.0), runs=(32.4, 34.0, 32.6))
    assert value.shown == "33.00 ± 1.50 (32.40–34.00)"


def test_a_column_that_the_paper_lacks_has_no_empty_neighbours():
    values = [
        Value(row="catseq", column="f1@5", measured=1.0, published=2.0),
        Value(row="catseq", column="f1@m", measured=3.0),
        Value(row="kea", column="f1@5", published=4.0, missing="no system: kea"),
        Value(row="kea", column="f1@m", missing="no system: kea"),
    ]
    headers, rows = Section(title="inspec", values=values).table()
    assert headers == ["system", "f1@5", "published", "difference", "f1@m"]
    assert rows == [["catseq", "1.00", "2.0", "−1.0", "3.00"], ["kea", "no system: kea", "4.0", None, None]]


def test_a_row_that_lacks_one_number_keeps_the_others():
    values = [
        Value(row="catseq", column="present.f1@5", measured=1.0),
        Value(row="catseq", column="absent.f1@5", missing="no document has such phrases"),
    ]
    assert Section(title="inspec", values=values).table()[1] == [["catseq", "1.00", "no document has such phrases"]]


def test_a_long_table_has_a_line_for_each_number_and_counts_have_no_decimals():
    values = [Value(row="inspec", column="#KP", measured=4913, published=4900, digits=0)]
    headers, rows = Section(title="t", values=values, corner="corpus", long=True).table()
    assert headers == ["corpus", "number", "measured", "published", "difference"]
    assert rows == [["inspec", "#KP", "4,913", "4,900", "+13"]]
