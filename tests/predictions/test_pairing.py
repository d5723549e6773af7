"""Predictions that fit the documents, and those that do not."""

import json

import pytest

from keyseq.errors import DataError
from keyseq.evaluation import evaluate
from keyseq.predictions.pairing import given, pair
from keyseq.predictions.readers import read_predictions
from keyseq.types import Document, Phrase


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def documents(*ids):
    return [Document(id=name, body="text", keyphrases=()) for name in ids]


def paired(gold, predictions):
    return {document.id: phrases for document, phrases in pair(gold, given(predictions))}


def test_predictions_with_ids_may_come_in_any_order():
    by_id = {"c": ["3"], "a": ["1"], "b": ["2"]}
    assert paired(documents("a", "b", "c"), by_id) == by_id


def test_in_the_same_order_nothing_waits(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(lines({"id": str(n), "keyphrases": []}) for n in range(5)))
    read = []

    def watched():
        for prediction in read_predictions(path):
            read.append(prediction.id)
            yield prediction

    for number, _ in enumerate(pair(documents(*"01234"), watched())):
        assert len(read) == number + 1


@pytest.mark.parametrize(
    ("gold", "predictions", "message"),
    [
        ("abc", [["x"], ["y"]], "predictions for 2 documents, but there are 3: every document needs one"),
        ("ab", [["x"], ["y"], ["z"]], "predictions for 3 documents, but there are 2"),
        ("ab", [], "predictions for 0 documents, but there are 2"),
        ("ab", {"a": ["x"]}, "1 document without predictions (b)"),
        ("a", {"a": [], "q": []}, "1 prediction for ids that the gold corpus lacks (q)"),
        ("abcde", {"z": []}, "5 documents without predictions (a, b, c, …); 1 prediction for ids that the gold"),
        ("", {"z": []}, "the gold corpus contains no documents; check its name and format"),
        ("aa", {"a": []}, "two gold documents have the id 'a'"),
    ],
)
def test_what_does_not_fit_is_refused(gold, predictions, message):
    with pytest.raises(DataError) as error:
        paired(documents(*gold), predictions)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            lines({"id": "a", "keyphrases": []}, {"id": "a", "keyphrases": []}),
            "p.jsonl:2: a second prediction for the id 'a'",
        ),
        (lines({"id": "a", "keyphrases": []}, {"keyphrases": []}), "p.jsonl:2: has no id where"),
        (lines({"keyphrases": []}, {"id": "b", "keyphrases": []}), "p.jsonl:2: has an id where"),
        (lines({"id": "a", "keyphrases": []}), "p.jsonl: 1 document without predictions (b)"),
        (lines({"keyphrases": []}), "p.jsonl: predictions for 1 document, but there are 2"),
    ],
)
def test_a_file_that_does_not_fit_is_named(tmp_path, content, message):
    path = tmp_path / "p.jsonl"
    path.write_text(content)
    with pytest.raises(DataError) as error:
        evaluate(documents("a", "b"), path)
    assert message in str(error.value)


def test_one_phrase_is_not_taken_for_a_list_of_letters():
    with pytest.raises(TypeError, match="a list of phrases for each document"):
        paired(documents("a", "b"), ["neural network", "graph"])


def test_phrases_of_a_system_are_taken_by_their_text():
    assert paired(documents("a"), [[Phrase(text="graph", score=1.0, present=True)]]) == {"a": ["graph"]}
