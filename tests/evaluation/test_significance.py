"""Whether the tests say chance where it is chance, and a difference where there is one."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from keyseq.errors import KeyseqError
from keyseq.evaluation import protocols
from keyseq.evaluation.metrics import harmonic
from keyseq.evaluation.resampling import Resampling
from keyseq.evaluation.scoring import Scores
from keyseq.evaluation.significance import (
    approximate_randomization,
    compare,
    confidence_interval,
    holm,
    paired_bootstrap,
)

F1 = "present.f1@5"
PRECISION, RECALL = "present.precision@5", "present.recall@5"


def scored(values, protocol="yuan2020", ids=None):
    """The table of a system with these F1 a document."""
    values = np.asarray(values, dtype=float)
    ids = ids or tuple(str(number) for number in range(len(values)))
    return Scores(ids=ids, values={F1: values}, metrics=(F1,), protocol=protocols.find(protocol), data="toy:0")


def scored_by_means(precisions, recalls):
    """The table of a system whose corpus F1 is the harmonic mean of mean P and mean R, not a mean itself."""
    values = {PRECISION: np.asarray(precisions, float), RECALL: np.asarray(recalls, float)}
    values[F1] = harmonic(values[PRECISION], values[RECALL])
    ids = tuple(str(number) for number in range(len(precisions)))
    return Scores(ids=ids, values=values, metrics=(F1,), protocol=protocols.find("chan2019"), data="toy:0")


def test_randomization_equals_the_share_among_all_swaps():
    a, b = np.array([0.9, 0.5, 0.4, 0.7, 0.0, 0.3]), np.array([0.4, 0.2, 0.5, 0.3, 0.0, 0.2])
    swaps = [np.mean(np.where(kept, a - b, b - a)) for kept in product([True, False], repeat=len(a))]
    exact = np.mean(np.abs(swaps) >= abs(np.mean(a - b)) - 1e-12)
    # by hand: |d| = .5 .3 .1 .4 0 .1; only with none or one of the .1 against the rest is |sum| ≥ 1.2
    assert exact == 3 * 2 * 2 / 64
    difference = approximate_randomization(scored(a), scored(b), F1, Resampling(samples=20_000))
    assert difference.value == pytest.approx(0.2)
    assert difference.p["randomization"] == pytest.approx(exact, abs=0.01)


def test_randomization_of_a_harmonic_mean_mixes_precision_and_recall_before_it_is_taken():
    p, r = np.array([[0.8, 0.2, 0.6], [0.2, 0.4, 0.2]]), np.array([[0.5, 1.0, 0.3], [0.5, 0.2, 0.1]])
    swaps = []
    for kept in product([0, 1], repeat=3):
        means = [(p[[k ^ s for k in kept], range(3)].mean(), r[[k ^ s for k in kept], range(3)].mean()) for s in (0, 1)]
        swaps.append(np.diff([2 * x * y / (x + y) for x, y in means])[0])
    exact = np.mean(np.abs(swaps) >= abs(swaps[0]) - 1e-12)
    assert 0 < exact < 1
    a, b = (scored_by_means(p[system], r[system]) for system in (0, 1))
    difference = approximate_randomization(a, b, F1, Resampling(samples=20_000))
    assert difference.value == pytest.approx(-swaps[0])
    assert difference.p["randomization"] == pytest.approx(exact, abs=0.01)


def test_bootstrap_equals_the_share_among_all_samples():
    a, b = np.array([0.9, 0.5, 0.4]), np.array([0.5, 0.5, 0.1])
    drawn = np.array([np.mean((a - b)[list(chosen)]) for chosen in product(range(3), repeat=3)])
    observed = np.mean(a - b)
    exact = np.mean(np.abs(drawn - observed) >= abs(observed) - 1e-12)
    difference = paired_bootstrap(scored(a), scored(b), F1, Resampling(samples=20_000))
    assert difference.p["bootstrap"] == pytest.approx(exact, abs=0.01)
    # of 27 samples one is all zeros and three sum to .3, so 2.5 % lies below the second smallest
    assert difference.interval.low == pytest.approx(np.quantile(drawn, 0.025, method="inverted_cdf"))
    assert difference.interval.high == pytest.approx(0.4)


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomization])
def test_a_system_is_no_better_than_itself(test):
    values = np.random.default_rng(1).random(50)
    [p] = test(scored(values), scored(values), F1, Resampling(samples=500)).p.values()
    assert p == 1


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomization])
def test_a_system_that_is_better_everywhere_is_better(test):
    values = np.random.default_rng(2).random(60)
    [p] = test(scored(values + 0.1), scored(values), F1, Resampling(samples=999)).p.values()
    assert p == 1 / 1000  # no sample of 999 is as extreme; the observed one itself is


@pytest.mark.parametrize("test", [paired_bootstrap, approximate_randomization])
def test_equal_systems_are_told_apart_about_as_often_as_the_level_says(test):
    rng, runs = np.random.default_rng(3), 400
    p = np.array(
        [
            next(iter(test(scored(a), scored(b), F1, Resampling(samples=200, seed=seed)).p.values()))
            for seed, (a, b) in enumerate(rng.beta(1, 2, size=(runs, 2, 60)))
        ]
    )
    # with 400 runs the share below .05 has a standard error of .011, that below .5 one of .025
    assert 0.015 < np.mean(p <= 0.05) < 0.09
    assert 0.42 < np.mean(p <= 0.5) < 0.58


def test_an_interval_covers_the_true_mean_about_as_often_as_its_level_says():
    rng, runs, covered = np.random.default_rng(4), 300, 0
    for seed in range(runs):
        interval = confidence_interval(
            scored(rng.beta(1, 2, size=80)), F1, Resampling(samples=300, seed=seed, level=0.9)
        )
        covered += interval.low <= 1 / 3 <= interval.high
    assert 0.83 < covered / runs < 0.96


def test_a_wider_level_gives_a_wider_interval():
    table = scored(np.random.default_rng(5).random(40))
    narrow, wide = (confidence_interval(table, F1, Resampling(samples=500, level=level)) for level in (0.5, 0.99))
    assert wide.low < narrow.low < table.aggregate(F1) < narrow.high < wide.high


def test_the_same_seed_gives_the_same_result_and_another_seed_another():
    rng = np.random.default_rng(6)
    systems = {"a": scored(rng.random(30)), "b": scored(rng.random(30))}
    first, again, other = (compare(systems, [F1], Resampling(samples=200, seed=seed)).results for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_documents_outside_the_average_change_nothing_but_the_draws():
    rng = np.random.default_rng(7)
    a, b = rng.random(40), rng.random(40)
    hole = [np.nan] * 10
    without = approximate_randomization(scored(a), scored(b), F1, Resampling(samples=5000))
    with_holes = approximate_randomization(scored([*a, *hole]), scored([*b, *hole]), F1, Resampling(samples=5000))
    assert with_holes.value == pytest.approx(without.value)
    assert with_holes.p["randomization"] == pytest.approx(without.p["randomization"], abs=0.03)


def test_samples_without_any_document_of_the_average_are_left_out():
    difference = paired_bootstrap(scored([0.5, np.nan]), scored([0.4, np.nan]), F1, Resampling(samples=200))
    assert difference.interval.low == pytest.approx(0.1)
    assert difference.interval.high == pytest.approx(0.1)
    assert difference.p["bootstrap"] == pytest.approx(1 / (1 + 150), rel=0.1)  # a quarter of the samples has no number


def test_a_metric_that_no_document_enters_has_no_numbers_and_no_error():
    [_, result] = compare({"a": scored([np.nan] * 3), "b": scored([np.nan] * 3)}, [F1], Resampling(samples=10)).results
    assert np.isnan(result.score)
    assert np.isnan(result.interval.low)
    assert np.isnan(result.difference.p["bootstrap"])
    assert np.isnan(result.difference.p["randomization"])


def test_all_systems_are_compared_with_the_first():
    values = np.random.default_rng(8).random(30)
    systems = {"base": scored(values), "same": scored(values), "better": scored(values + 0.2)}
    comparison = compare(systems, [F1], Resampling(samples=200))
    assert comparison.baseline == "base"
    base, same, better = comparison.of(F1)
    assert (base.system, base.difference) == ("base", None)
    assert same.difference.value == 0
    assert better.difference.value == pytest.approx(0.2)
    assert better.difference.corrected["bootstrap"] == pytest.approx(2 * better.difference.p["bootstrap"])


@pytest.mark.parametrize(
    ("p", "expected", "reason"),
    [
        ([0.03], [0.03], "one comparison needs no correction"),
        ([0.01, 0.04], [0.02, 0.04], "the smallest counts twice"),
        ([0.04, 0.01, 0.03], [0.06, 0.03, 0.06], "no p falls below that of a smaller one"),
        ([0.5, 0.6], [1.0, 1.0], "never above one"),
    ],
)
def test_holm_computed_by_hand(p, expected, reason):
    assert holm(np.array(p)) == pytest.approx(expected), reason
    columns = np.column_stack([p, p[::-1]])
    assert holm(columns)[:, 1] == pytest.approx(expected[::-1]), "each column by itself"


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        (scored([0.1, 0.2]), "the same documents"),
        (scored([0.1, 0.2, 0.3], ids=("0", "2", "1")), "the same order"),
        (replace(scored([0.1, 0.2, 0.3]), data="toy:1"), "the same documents"),
        (scored([0.1, 0.2, 0.3], protocol="meng2017"), "score both by one protocol"),
    ],
)
def test_systems_scored_on_other_documents_or_by_other_rules_are_refused(other, problem):
    with pytest.raises(KeyseqError, match=problem):
        compare({"a": scored([0.1, 0.2, 0.3]), "b": other}, [F1], Resampling(samples=10))


def test_an_unknown_test_is_refused_and_the_known_ones_named():
    with pytest.raises(KeyseqError, match="did you mean 'bootstrap'"):
        compare({"a": scored([0.1]), "b": scored([0.2])}, [F1], tests=["bootstraps"])


def test_the_same_corpus_may_have_two_names_and_a_metric_be_asked_for_twice():
    systems = {"a": scored([0.1, 0.2]), "b": replace(scored([0.1, 0.2]), data="other:0")}
    assert compare(systems, [F1, F1], Resampling(samples=10)).metrics == (F1,)


def test_an_empty_test_set_is_refused():
    with pytest.raises(KeyseqError, match="no document"):
        compare({"a": scored([]), "b": scored([])}, [F1])
