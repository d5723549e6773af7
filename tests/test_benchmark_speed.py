"""The table of speed: its baselines compute the same, contestants take turns, and ratios say how many times better."""

import pytest
from benchmarks import speed
from benchmarks.figures import Figure, show
from benchmarks.generate import documents, predictions
from benchmarks.plain_evaluation import plain_evaluation
from benchmarks.plain_rake import plain_rake
from benchmarks.roofline import Part, Roofline, draw
from benchmarks.speed import Trial
from benchmarks.startup import HERE

from keyseq.errors import KeyseqError
from keyseq.evaluation import evaluate


def test_the_plain_evaluation_finds_the_same_scores_so_that_it_is_a_baseline():
    gold = list(documents(20, seed=4))
    predicted = [predictions(document, seed=5) for document in gold]
    plain = plain_evaluation(gold, predicted)
    ours = evaluate(gold, predicted, metrics=list(plain))
    assert len(plain) == 8
    for metric, value in plain.items():
        assert value == pytest.approx(ours.aggregate(metric)), metric


def test_the_plain_rake_scores_words_by_degree_over_frequency():
    """Deep: degree 3 in two phrases; learning: 2 in one; networks: 1."""
    found = plain_rake("Deep learning of deep networks. The networks", {"of", "the"})
    assert found == [(4.0, "deep learning"), (2 + 3 / 2, "deep networks"), (3 / 2, "networks")]


@pytest.fixture
def measured(monkeypatch):
    """What processes were asked for, each of which finds a speed and a time."""
    asked = []

    def found(measure, _cores, checkout):
        asked.append((measure[0], checkout.name))
        number = len(asked)
        return {} if checkout.name == "too old" else {"documents/s": 10.0 * number, "ms": 10.0 * number}

    monkeypatch.setattr(speed, "_found", found)
    return asked


def test_contestants_take_turns_and_ratios_say_how_many_times_better(measured, tmp_path):
    trial = Trial(work="a search", measure=("decoding", {}), plain=("plain torch", ("plain_decoding", {})))
    runs = speed._measured(trial, tmp_path / "before", rounds=3)
    assert measured == 3 * [("decoding", HERE.name), ("decoding", "before"), ("plain_decoding", HERE.name)]
    rate, time = speed._figures(runs, {})
    assert (rate.value, rate.ratio, rate.before) == (40, 40 / 60, 40 / 50)  # medians of the second round
    assert (time.value, time.ratio, time.before) == (40, 60 / 40, 50 / 40)
    assert rate.runs["keyseq"] == [10, 40, 70]
    assert rate.baseline == "plain torch"


@pytest.mark.usefixtures("measured")
def test_an_earlier_checkout_that_cannot_do_the_work_is_left_out(tmp_path):
    runs = speed._measured(Trial(work="new", measure=("decoding", {})), tmp_path / "too old", rounds=1)
    figures = list(speed._figures(runs, {}))
    assert [figure.before for figure in figures] == [None, None]


@pytest.mark.usefixtures("measured")
def test_the_share_of_the_peak_is_that_of_the_cores_in_use():
    runs = speed._measured(Trial(work="a search", measure=("decoding", {}), cores=1, operations=2e9), None, rounds=1)
    assert next(speed._figures(runs, {1: 1e11})).share == pytest.approx(10 * 2e9 / 1e11)


def test_a_word_that_no_work_has_is_refused(monkeypatch):
    monkeypatch.setattr(speed, "_trials", lambda *_: [Trial(work="a search", measure=("decoding", {}))])
    with pytest.raises(KeyseqError, match="no work has 'walk' in its name"):
        speed.run(only="walk")


def test_columns_are_shown_only_where_a_figure_has_something_for_them():
    plain = Figure(name="one", value=2.0, unit="documents/s")
    assert "before" not in show([plain])
    assert "GEMM" not in show([plain])
    both = show([plain, Figure(name="two", value=3.0, unit="documents/s", before=1.5, share=0.42)])
    assert "1.5 ×" in both
    assert "42 %" in both


def test_a_roofline_is_drawn_with_its_parts(tmp_path):
    draw(Roofline(100.0, 300.0, 20.0, [Part("training: output", 50.0, 70.0)]), tmp_path / "roof.svg")
    assert "training: output" in (tmp_path / "roof.svg").read_text()
