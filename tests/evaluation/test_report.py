"""Whether reports show every score with all that it takes to compute it again."""

import json
import re

import numpy as np
import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation import protocols
from keyseq.evaluation.report import render_comparison, render_scores, shown, shown_p, signatures
from keyseq.evaluation.resampling import Resampling
from keyseq.evaluation.scoring import Scores
from keyseq.evaluation.significance import compare
from keyseq.version import __version__

F1, RECALL, COUNT = "present.f1@5", "absent.recall@10", "predictions.count"


def scored(f1, recall, count=(3.0, 4.0)):
    values = {F1: np.array(f1), RECALL: np.array(recall), COUNT: np.array(count)}
    return Scores(
        ids=("1", "2"), values=values, metrics=tuple(values), protocol=protocols.find("yuan2020"), data="toy:0123abcd"
    )


SYSTEMS = {"base": scored([0.5, 0.25], [0.1, np.nan]), "ours_2": scored([0.5, 0.5], [0.3, np.nan])}


def test_several_systems_are_rows_and_metrics_columns_shares_in_percent_and_counts_as_they_are():
    head, _, base, ours, *_ = render_scores(SYSTEMS).splitlines()
    assert head.split() == ["system", F1, RECALL, COUNT]
    assert base.split() == ["base", "37.50", "10.00", "3.50"]
    assert ours.split() == ["ours_2", "50.00", "30.00", "3.50"]


def test_one_system_is_a_column_so_that_its_metrics_fit_a_terminal():
    head, _, first, second, *_ = render_scores({"base": SYSTEMS["base"]}).splitlines()
    assert head.split() == ["metric", "base", "documents"]
    assert first.split() == [F1, "37.50", "2"]
    assert second.split() == [RECALL, "10.00", "1"]


def test_signatures_are_complete_though_each_part_stands_once():
    common, *groups = signatures(SYSTEMS, [F1, RECALL, COUNT])
    assert groups == [f"docs:2 for {F1}, {COUNT}", f"docs:1 for {RECALL}"]
    for scores in SYSTEMS.values():
        for metric, own in ((F1, "docs:2"), (RECALL, "docs:1"), (COUNT, "docs:2")):
            assert {metric, *common.split("|"), own} == set(scores.signature(metric).split("|"))


def test_signatures_that_are_all_alike_take_one_line():
    [line] = signatures(SYSTEMS, [F1, COUNT])
    assert f"{F1}|{line}".count("docs:2") == 1
    assert line.endswith(f"keyseq:{__version__}")


def test_signatures_name_the_systems_where_these_differ():
    systems = {"base": SYSTEMS["base"], "silent": scored([0.5, np.nan], [0.1, np.nan])}
    _, *groups = signatures(systems, [F1])
    assert groups == [f"docs:2 for {F1} (base)", f"docs:1 for {F1} (silent)"]


def test_markdown_and_latex_hold_the_same_numbers_and_the_signature():
    markdown, latex = (render_scores(SYSTEMS, [F1], kind) for kind in ("markdown", "latex"))
    assert "| ours_2 |        50.00 |" in markdown
    assert r"ours\_2 & 50.00 \\" in latex
    assert "- protocol:yuan2020|" in markdown
    assert "\n% protocol:yuan2020|" in latex


def test_json_has_the_exact_score_and_the_whole_signature_of_each():
    records = json.loads(render_scores(SYSTEMS, [F1, RECALL], "json"))
    assert [(record["system"], record["metric"]) for record in records] == [
        ("base", F1),
        ("base", RECALL),
        ("ours_2", F1),
        ("ours_2", RECALL),
    ]
    assert records[0]["score"] == 0.375
    assert records[1]["documents"] == 1
    assert records[1]["signature"] == SYSTEMS["base"].signature(RECALL)


def test_a_score_of_no_document_is_a_dash_and_null():
    nothing = {"base": scored([np.nan, np.nan], [0.1, 0.1])}
    assert render_scores(nothing, [F1]).splitlines()[2].split() == [F1, "–", "0"]
    assert json.loads(render_scores(nothing, [F1], "json"))[0]["score"] is None


@pytest.mark.parametrize(
    ("metric", "value", "sign", "expected"),
    [
        (F1, 0.123456, "", "12.35"),
        (F1, -0.01, "+", "−1.00"),
        (F1, 0.01, "+", "+1.00"),
        (F1, -1e-9, "+", "+0.00"),
        (COUNT, 12.5, "", "12.50"),
        (COUNT, float("nan"), "+", "–"),
    ],
)
def test_values_as_people_read_them(metric, value, sign, expected):
    assert shown(metric, value, sign) == expected


def test_an_unknown_format_names_those_there_are():
    with pytest.raises(KeyseqError, match="text, markdown, latex"):
        render_scores(SYSTEMS, [F1], "yaml")


def compared(names=("base", "ours_2"), tests=("bootstrap", "randomization")):
    systems = {name: SYSTEMS.get(name) or scored([0.25, 0.0], [0.0, np.nan]) for name in names}
    return compare(systems, [F1, COUNT], Resampling(samples=99, seed=7), tests)


def test_a_comparison_shows_score_interval_difference_and_p():
    head, _, base, ours, *_ = render_comparison(compared()).splitlines()
    assert re.split(r"\s{2,}", head)[-4:] == ["difference", "95 % interval", "p bootstrap", "p randomization"]
    assert re.split(r"\s{2,}", base) == [F1, "base", "37.50", "[25.00, 50.00]", "–", "–", "–", "–"]
    # d = 0 and .25: a sample of two has a mean of 0, .125 or .25; half of all swaps leave |d| as it is and half too
    assert re.split(r"\s{2,}", ours)[:6] == [F1, "ours_2", "50.00", "[50.00, 50.00]", "+12.50", "[+0.00, +25.00]"]
    assert ours.endswith("1.0000")


def test_a_comparison_says_how_it_was_made():
    text = render_comparison(compared())
    assert "99 samples, seed 7" in text
    assert "Differences are to base.\np is two-sided, by paired bootstrap and approximate randomization.\n" in text
    assert "docs:2" in text
    assert "Holm" not in text  # one comparison needs no correction


def test_a_comparison_of_more_than_two_systems_says_that_p_is_corrected():
    text = render_comparison(compared(names=("base", "ours_2", "third")))
    assert "corrected by Holm's method for the 2 comparisons in each metric" in text


def test_a_comparison_shows_only_the_tests_that_were_made():
    text = render_comparison(compared(tests=("randomization",)))
    assert "p randomization" in text
    assert "bootstrap)" not in text.splitlines()[0]
    assert "by approximate randomization." in text


def test_json_of_a_comparison_holds_all_that_the_table_rounds():
    comparison = compared(names=("base", "ours_2", "third"))
    record = json.loads(render_comparison(comparison, "json"))
    assert (record["baseline"], record["samples"], record["seed"], record["level"]) == ("base", 99, 7, 0.95)
    assert record["correction"] == "holm"
    base, _, third, *_ = record["results"]
    assert base["difference"] is None
    assert third["signature"] == comparison.systems["third"].signature(F1)
    expected = comparison.of(F1)[2].difference
    assert third["difference"]["p"] == expected.p
    assert third["difference"]["p_corrected"] == expected.corrected
    assert third["difference"]["interval"] == [expected.interval.low, expected.interval.high]


@pytest.mark.parametrize(
    ("p", "expected"), [(0.05, "0.0500"), (1 / 10_001, "0.0001"), (0.00001, "1.0e-05"), (float("nan"), "–")]
)
def test_a_small_p_is_never_shown_as_zero(p, expected):
    assert shown_p(p) == expected
