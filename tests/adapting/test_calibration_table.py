"""The calibration error by hand, and how far it may be off by chance."""

import pytest

from keyseq.adapting.calibration_table import CalibrationTable
from keyseq.adapting.rankings import Answer
from keyseq.types import Document, Phrase


def answer(*phrases):
    given = [Phrase(text=text, score=score, present=True, uri=uri) for text, score, uri in phrases]
    return Answer(given, [])


def test_the_error_is_the_distance_of_probability_and_truth_in_each_bin():
    documents = [Document(id="1", body="", keyphrases=("tigers",)), Document(id="2", body="", keyphrases=("lions",))]
    answers = [answer(("Tiger", 0.85, None), ("zebra", 0.05, None)), answer(("zebra", 0.85, None))]
    # of two phrases at 0.85 one is right; one at 0.05 is wrong
    assert CalibrationTable(documents, answers).error == pytest.approx((2 * 0.35 + 0.05) / 3)


def test_concepts_are_right_by_their_uri():
    documents = [Document(id="1", body="", keyphrases=("mercury",), subjects=("http://x/1",))]
    right, wrong = (
        CalibrationTable(documents, [answer(("mercury", 1.0, uri))], by_concept=True)
        for uri in ("http://x/1", "http://x/2")
    )
    assert (right.error, wrong.error) == (0, 1)


def test_free_phrases_are_right_by_their_stems_though_the_document_has_subjects_too():
    documents = [Document(id="1", body="", keyphrases=("planets",), subjects=("http://x/1",))]
    assert CalibrationTable(documents, [answer(("planet", 1.0, None))]).error == 0


def test_the_interval_holds_the_error_and_is_narrower_for_more_documents():
    def table(count):
        documents = [Document(id="1", body="", keyphrases=("tiger",))] * count
        answers = [answer(("tiger" if number % 2 else "lion", 0.7, None)) for number in range(count)]
        return CalibrationTable(documents, answers)

    few, many = table(20), table(400)
    for one in (few, many):
        interval = one.interval(seed=1)
        assert one.error == pytest.approx(0.2)
        assert interval.low < one.error < interval.high
    assert many.interval(1).high - many.interval(1).low < few.interval(1).high - few.interval(1).low


def test_a_system_that_gives_nothing_has_no_error():
    assert CalibrationTable([Document(id="1", body="", keyphrases=("a",))], [answer()]).error == 0
