"""Every metric computed by hand, and the grammar of their names."""

from itertools import pairwise
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyseq.errors import KeyseqError
from keyseq.evaluation.metrics import DEFAULT, METRICS, MatchedPart, parse

D2, D3, D5 = 1 / log2(3), 1 / log2(4), 1 / log2(6)  # what a hit at ranks 2, 3 and 5 is worth in DCG


def part(hits, targets, given=None, distinct=None, novelty=()):
    """One document: `hits` one bit a valid prediction."""
    return MatchedPart(
        hits=np.array([hits], dtype=bool).reshape(1, len(hits)),
        predicted=np.array([len(hits)]),
        targets=np.array([targets]),
        given=np.array([len(hits) if given is None else given]),
        distinct=np.array([len(hits) if distinct is None else distinct]),
        novelty=np.array([novelty], dtype=float),
    )


@pytest.mark.parametrize(
    ("hits", "targets", "metric", "expected", "reason"),
    [
        ([1, 0, 1, 0], 3, "precision@2", 1 / 2, "only the first two"),
        ([1, 0, 1, 0], 3, "precision@5", 2 / 4, "fewer predictions than k: divides by what was offered"),
        ([1, 0, 1, 0], 3, "precision@5-padded", 2 / 5, "divides by k all the same"),
        ([1, 0, 1, 0], 3, "precision@o", 2 / 3, "as many as targets"),
        ([1], 3, "precision@o-padded", 1 / 3, "padded to the number of targets"),
        ([1], 3, "precision@o", 1, "so that F1@O rewards few predictions"),
        ([1, 0, 1, 0], 3, "precision@m", 2 / 4, "all"),
        ([1, 0, 1, 0], 3, "recall@2", 1 / 3, ""),
        ([1, 0, 1, 0], 3, "recall@50", 2 / 3, ""),
        ([1, 0, 1, 0], 3, "f1@5", 4 / 7, "P 1/2, R 2/3"),
        ([1, 0, 1, 0], 3, "f1@5-padded", 1 / 2, "P 2/5, R 2/3"),
        ([1, 0, 1, 0], 3, "f1@o", 2 / 3, "P = R"),
        ([0, 1], 1, "f1@o", 0, "one target: only the first guess counts"),
        ([1, 0, 1, 0], 3, "map", (1 + 2 / 3) / 3, "precision at ranks 1 and 3; the third target is missed"),
        ([1, 0, 1, 0], 3, "map@2", 1 / 3, ""),
        ([0, 1, 1], 2, "mrr", 1 / 2, "the first hit"),
        ([0, 1, 1], 2, "mrr@1", 0, "no hit in time"),
        ([0, 1, 1], 2, "mrr-all", (1 / 2 + 1 / 3) / 2, "all hits"),
        ([1, 0, 1, 0], 3, "ndcg", (1 + D3) / (1 + D2 + D3), "ideal: the first three"),
        ([1, 0, 1, 0], 3, "ndcg@2", 1 / (1 + D2), "ideal: two, more cannot be in two ranks"),
        ([1, 1], 2, "ndcg@10", 1, ""),
        ([1, 0, 1, 0], 3, "sadr", 2 / 3, "hits within the first O count whole"),
        ([0, 0, 0, 1], 1, "sadr", 1 / log2(5), "three ranks below O"),
        ([1, 0, 1, 0], 3, "pr-auc", 1 / 3 + 1 / 3 * (1 / 2 + 2 / 3) / 2, "trapezes of the two steps in recall"),
        ([1, 1], 2, "pr-auc", 1, ""),
        ([1, 0, 1, 0], 3, "count", 4, ""),
        ([1, 0, 1, 0], 3, "count-mae", 1, "one too many"),
        ([1], 3, "count-mae", 2, "two too few"),
    ],
)
def test_metrics_computed_by_hand(hits, targets, metric, expected, reason):
    name = parse(f"all.{metric}")
    assert name.definition.score(part(hits, targets).cut(name.at, name.padded)) == pytest.approx([expected]), reason


@pytest.mark.parametrize(
    ("novelty", "targets", "k", "expected", "reason"),
    [
        ([1, 0.5, 1], 2, 5, (1 + 0.5 * D2) / (1 + D2), "two targets: the third prediction is not looked at"),
        ([1, 0.5, 1], 3, 2, (1 + 0.5 * D2) / (1 + D2 + D3), "the ideal list has all targets, whatever k"),
        ([0, 0, 0, 0, 1], 5, 5, D5 / sum(1 / log2(rank + 1) for rank in range(1, 6)), "rank 5"),
    ],
)
def test_alpha_ndcg_computed_by_hand(novelty, targets, k, expected, reason):
    ranking = part([0] * len(novelty), targets, novelty=novelty).cut(k, padded=False)
    assert METRICS["alpha-ndcg"].score(ranking) == pytest.approx([expected]), reason


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, metric in METRICS.items()
        if metric.share and name != "duplicate-ratio" and metric.aggregate not in ("subjects", "weighted")
        if not metric.semantic
    ],
)
@pytest.mark.parametrize(("hits", "targets"), [([], 3), ([0, 0], 0), ([], 0), ([0, 0], 2)])
def test_nothing_right_scores_zero_even_out_of_nothing(name, hits, targets):
    ranking = part(hits, targets, novelty=[0.0] * len(hits)).cut(
        5 if METRICS[name].cutoff == "needed" else None, padded=True
    )
    assert METRICS[name].score(ranking).tolist() == [0.0]


def test_duplicates_are_a_share_of_what_was_given_and_none_of_nothing():
    assert METRICS["duplicate-ratio"].score(part([1], 1, given=4, distinct=3).cut(None, False)) == [1 / 4]
    assert np.isnan(METRICS["duplicate-ratio"].score(part([], 1).cut(None, False)))
    assert METRICS["unique"].score(part([1], 1, given=4, distinct=3).cut(None, False)) == [3]


@pytest.mark.parametrize(
    "name",
    [
        *DEFAULT,
        "present.f1@5-padded",
        "all.precision@o-padded",
        "absent.alpha-ndcg@10",
        "present.mrr-all",
        "present.map@3",
    ],
)
def test_a_name_taken_apart_and_put_together_is_the_same(name):
    assert str(parse(name)) == name
    assert str(parse(name.upper())) == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("present.f2@5", "unknown metric 'present.f2@5'; did you mean 'present.f1'?"),
        (" ", "empty metric name"),
        ("quality", "unknown metric 'quality'; there are present.precision, "),
        ("present.f1", "metric 'present.f1': add a cutoff"),
        ("present.f1@all", "metric 'present.f1@all': '@' must be followed by a number, o or m"),
        ("present.f1@5-hard", "metric 'present.f1@5-hard': '@' must be followed by a number, o or m, and optionally"),
        ("present.f1@0", "the cutoff must be at least 1"),
        ("present.sadr@5", "sadr uses all predictions; leave '@5' out"),
        ("present.recall@5-padded", "only precision and f1"),
        ("present.f1@m-padded", "at a number or at o have a padded variant"),
        ("present.unique", "unique is a metric of predictions, not of present"),
        ("predictions.f1@5", "f1 is a metric of present or absent or all, not of predictions"),
    ],
)
def test_a_wrong_name_is_told_what_is_wrong(name, message):
    with pytest.raises(KeyseqError) as error:
        parse(name)
    assert message in str(error.value)


def plainly(name, hits, targets):
    """The ranking metrics of OpenNMT-kpg-release in plain loops."""
    precisions = [sum(hits[: rank + 1]) / (rank + 1) for rank in range(len(hits))]
    recalls = [sum(hits[: rank + 1]) / targets for rank in range(len(hits))]
    match name:
        case "map":
            return sum(p for p, hit in zip(precisions, hits, strict=True) if hit) / targets
        case "mrr-all":
            return sum(hit / rank for rank, hit in enumerate(hits, 1)) / max(sum(hits), 1)
        case "ndcg":
            gain = sum(hit / log2(rank + 1) for rank, hit in enumerate(hits, 1))
            return gain / sum(1 / log2(rank + 1) for rank in range(1, targets + 1))
        case "sadr":
            late = [1 / log2(rank - targets + 2) if rank > targets else 1 for rank in range(1, len(hits) + 1)]
            return sum(hit * gain for hit, gain in zip(hits, late, strict=True)) / targets
    heights, widths = [1.0, *precisions], [0.0, *recalls]
    pieces = zip(pairwise(heights), pairwise(widths), strict=True)
    return sum((right - left) * (low + high) / 2 for (low, high), (left, right) in pieces)


@pytest.mark.parametrize("name", ["map", "mrr-all", "ndcg", "sadr", "pr-auc"])
@given(hits=st.lists(st.integers(0, 1), max_size=12), missed=st.integers(0, 4))
@settings(max_examples=60, deadline=None)
def test_ranking_metrics_are_those_of_plain_loops(name, hits, missed):
    targets = max(sum(hits) + missed, 1)
    found = METRICS[name].score(part(hits, targets).cut(None, padded=False))
    assert found == pytest.approx([plainly(name, hits, targets)])
