"""Expected F-scores against the mean over all outcomes, and the list that they choose."""

from itertools import product

import pytest

from keyseq.ranking.expected_f1 import MOST, best_count, expected_f_scores


def brute_force(chances, count, beta=1.0):
    """The mean F-beta of the first `count` over all outcomes of all phrases."""
    total = 0.0
    for outcome in product([0, 1], repeat=len(chances)):
        weight = 1.0
        for chance, one in zip(chances, outcome, strict=True):
            weight *= chance if one else 1 - chance
        hits, gold = sum(outcome[:count]), sum(outcome)
        total += weight * (1 + beta**2) * hits / (count + beta**2 * gold)
    return total


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("chances", [[0.7], [0.9, 0.5, 0.1], [1.0, 0.0], [0.6, 0.4, 0.4, 0.3, 0.2, 0.05]])
def test_expected_scores_are_the_mean_over_all_outcomes(chances, beta):
    wanted = [brute_force(chances, count, beta) for count in range(1, len(chances) + 1)]
    assert expected_f_scores(chances, beta=beta) == pytest.approx(wanted)


def test_keyphrases_outside_of_the_list_lower_the_score():
    # one sure phrase, and m others by Poisson with mean 1: E[2 / (2 + m)] = 2 / e, by the series of the exponential
    [alone] = expected_f_scores([1.0], others=1.0)
    assert alone == pytest.approx(2 / 2.718281828459045)
    assert expected_f_scores([1.0])[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("chances", "beta", "count"),
    [
        ([], 1.0, 0),
        ([0.01], 1.0, 1),
        ([0.9, 0.9, 0.9, 0.01], 1.0, 3),
        ([0.9, 0.2, 0.2], 1.0, 1),
        ([0.9, 0.2, 0.2], 4.0, 3),
    ],
)
def test_a_list_has_as_many_phrases_as_promise_the_best_score(chances, beta, count):
    assert best_count(chances, beta=beta) == count


def test_a_larger_beta_never_gives_fewer():
    chances = [0.8, 0.6, 0.45, 0.3, 0.2, 0.1, 0.05]
    counts = [best_count(chances, 0.5, beta) for beta in (0.1, 0.5, 1, 2, 4, 20)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_long_lists_end_at_the_most_and_count_the_rest_as_missing():
    assert len(expected_f_scores([0.5] * 100)) == MOST
    assert expected_f_scores([0.5] * 100)[0] < expected_f_scores([0.5] * (MOST + 1))[0]
