"""keyseq.compare, and what scores look like in pandas, papers and notebooks."""

import math

import pytest

import keyseq

GOLD = [
    keyseq.Document(id=str(number), body="social robots help older people", keyphrases=("social robots",))
    for number in range(6)
]
RIGHT, WRONG = [["social robots"]] * 6, [["older people"]] * 6
METRICS = ["present.f1@5", "present.f1@o"]


@pytest.fixture
def comparison():
    return keyseq.compare(iter(GOLD), {"base": WRONG, "mine": RIGHT}, metrics=METRICS, samples=50)


def test_predictions_are_compared_as_on_the_command_line(comparison):
    [base, mine] = comparison.of("present.f1@5")
    assert (base.score, mine.score, mine.difference.value) == (0, 1, 1)
    assert repr(comparison) == "Comparison(mine with base: present.f1@5, present.f1@o)"


def test_scores_may_stand_in_for_predictions(comparison):
    scores = {name: keyseq.evaluate(GOLD, said, metrics=METRICS) for name, said in (("base", WRONG), ("mine", RIGHT))}
    again = keyseq.compare(GOLD, scores, metrics=METRICS, samples=50)
    assert again.results == comparison.results


def test_one_system_is_nothing_to_compare():
    with pytest.raises(keyseq.KeyseqError, match="two or more systems"):
        keyseq.compare(GOLD, {"mine": RIGHT})


def test_finding_23_the_repr_of_scores_is_one_line_without_ids():
    told = repr(keyseq.evaluate(GOLD, RIGHT, metrics=METRICS))
    assert told.startswith("Scores(documents:")
    assert told.endswith("6 documents, yuan2020: present.f1@5 100.00, present.f1@o 100.00)")


def test_scores_go_to_pandas_latex_markdown_and_html():
    scores = keyseq.evaluate(GOLD, RIGHT, metrics=METRICS)
    table = scores.to_pandas()
    assert list(table.columns) == ["metric", "score", "documents", "signature"]
    assert table.score.tolist() == [1.0, 1.0]
    assert table.signature[0] == scores.signature("present.f1@5")
    assert scores.documents_to_pandas().shape == (6, 2)
    assert r"\begin{tabular}" in scores.to_latex()
    assert "| present.f1@5 |" in scores.to_markdown()
    html = scores.to_html()
    assert "<td" in html
    assert "protocol:yuan2020" in html
    assert scores._repr_html_() == html
    assert '<td style="text-align:right">100.00</td>' in html


def test_a_comparison_goes_to_pandas_with_nan_for_the_baseline(comparison):
    table = comparison.to_pandas()
    assert table.shape[0] == 4
    assert math.isnan(table.difference[0])
    assert table.difference[1] == 1
    assert table.p_bootstrap[1] < 0.05
    assert "Differences are to base." in comparison.to_html()


def test_gold_that_is_no_list_of_documents_is_one_sentence():
    with pytest.raises(keyseq.KeyseqError, match=r"gold 0 .counted from 0. is a list, not a keyseq\.Document"):
        keyseq.evaluate([["social robots"]], [["social robots"]])
    with pytest.raises(keyseq.KeyseqError, match="gold is a list of documents or the path of a corpus, not None"):
        keyseq.evaluate(None, RIGHT)


@pytest.mark.parametrize(
    ("predictions", "told"),
    [
        ([None, *RIGHT[1:]], "prediction 0 .counted from 0. is None, not a list of phrases"),
        ([[float("nan")], *RIGHT[1:]], "phrase 0 of prediction 0 .counted from 0. is NaN, not a text"),
        ({"0": {"a": 1}}, "prediction '0' is a dict, not a list of phrases"),
        (None, "predictions are a list of phrases for each document, or a file of them, not None"),
        (5, "predictions are a list of phrases for each document, or a file of them, not an int"),
    ],
)
def test_a_bad_prediction_is_one_sentence_with_its_place(predictions, told):
    with pytest.raises(keyseq.KeyseqError, match=told):
        keyseq.evaluate(GOLD, predictions)


def test_systems_without_names_are_one_sentence():
    with pytest.raises(keyseq.KeyseqError, match="systems are predictions by name"):
        keyseq.compare(GOLD, [RIGHT, RIGHT])


def test_one_metric_needs_no_list():
    assert keyseq.evaluate(GOLD, RIGHT, metrics="present.f1@5").metrics == ("present.f1@5",)
    compared = keyseq.compare(GOLD, {"a": RIGHT, "b": RIGHT}, metrics="present.f1@5", samples=10)
    assert "present.f1@5" in repr(compared)


def test_all_protocols_are_another_function():
    with pytest.raises(keyseq.KeyseqError, match=r"keyseq\.evaluation\.evaluate_all does under all"):
        keyseq.evaluate(GOLD, RIGHT, protocol="all")
