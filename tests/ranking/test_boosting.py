"""Trees applied by NumPy give what LightGBM gives, and damaged ones are refused."""

from dataclasses import replace

import lightgbm
import numpy as np
import pytest

from keyseq.ranking import boosting
from keyseq.ranking.boosting import BoostedTrees, BoostingSettings

SETTINGS = BoostingSettings(trees=12, leaf=5)


def data(seed=0, count=2_000):
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(count, 6)).astype(np.float32)
    rows[:, 0] = np.round(rows[:, 0])  # many equal values, at which thresholds lie close
    labels = rows[:, 0] * rows[:, 1] + rows[:, 2] > draw.normal(size=count)
    return rows, labels


@pytest.fixture
def both(monkeypatch):
    """Trees as they are kept, and the booster of LightGBM that they come from."""
    boosters, train = [], lightgbm.train
    monkeypatch.setattr(lightgbm, "train", lambda *given: boosters.append(train(*given)) or boosters[-1])
    return BoostedTrees.fit(*data(), SETTINGS), boosters


def test_every_row_falls_into_the_leaves_that_lightgbm_finds(both):
    trees, [booster] = both
    rows, _ = data(seed=1, count=5_000)
    for number in range(SETTINGS.trees):
        alone = BoostedTrees(
            features=trees.features[[number]],
            thresholds=trees.thresholds[[number]],
            leaves=trees.leaves[[number]],
            start=trees.start,
        )
        leaves = booster.predict(rows, pred_leaf=True)[:, number]
        values = np.array([booster.get_leaf_output(number, int(leaf)) for leaf in leaves], dtype=np.float32)
        assert (alone.logits(rows) == values).all()


def test_the_sum_is_lightgbms_raw_score(both):
    trees, [booster] = both
    rows, _ = data(seed=1)
    assert trees.logits(rows) == pytest.approx(booster.predict(rows, raw_score=True), abs=1e-5)


def test_a_value_at_the_threshold_goes_left():
    # LightGBM's thresholds have 64 bits: rounded up to 32, they would let a larger value pass
    threshold = 0.1  # as 32 bits: 0.10000000149
    assert float(boosting._rounded_down(threshold)) <= threshold
    assert not np.float32(0.1) <= boosting._rounded_down(threshold)
    assert boosting._rounded_down(0.5) == np.float32(0.5)


def test_labels_of_one_kind_make_trees_without_questions():
    rows, _ = data(count=50)
    trees = BoostedTrees.fit(rows, np.zeros(50, dtype=bool), SETTINGS)
    assert len(set(trees.logits(rows).tolist())) == 1


def test_the_same_seed_grows_the_same_trees():
    first, second = (BoostedTrees.fit(*data(), SETTINGS).arrays() for _ in range(2))
    assert all((first[name] == second[name]).all() for name in first)


def test_no_rows_have_no_logits():
    assert BoostedTrees.fit(*data(), SETTINGS).logits(np.zeros((0, 6), dtype=np.float32)).tolist() == []


def test_trees_are_rebuilt_from_their_arrays():
    trees = BoostedTrees.fit(*data(), SETTINGS)
    rows, _ = data(seed=2)
    assert (BoostedTrees.from_arrays(trees.arrays(), 6).logits(rows) == trees.logits(rows)).all()


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("leaves", lambda array: array[:, :-1], "other shapes"),
        ("thresholds", lambda array: array[:-1], "other shapes"),
        ("start", lambda array: array[:0], "other shapes"),
        ("features", lambda array: array + np.uint8(6), "more than 6 features"),
        ("features", lambda array: array.astype(np.int64), "more than 6 features"),
        ("leaves", lambda array: array * np.nan, "not numbers"),
        ("thresholds", lambda array: array * np.nan, "not numbers"),
    ],
)
def test_damaged_trees_are_refused(name, change, message):
    arrays = BoostedTrees.fit(*data(), SETTINGS).arrays()
    with pytest.raises(ValueError, match=message):
        BoostedTrees.from_arrays(arrays | {name: change(arrays[name])}, 6)


def test_of_too_many_rows_all_that_are_right_are_kept_and_the_others_stand_for_the_rest():
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(20_000, 3)).astype(np.float32)
    labels = rows[:, 0] + chance.normal(size=20_000) > 3
    settings = BoostingSettings(trees=30, rate=0.2)
    whole = BoostedTrees.fit(rows, labels, settings)
    drawn = BoostedTrees.fit(rows, labels, replace(settings, most_rows=4_000))
    shares = [1 / (1 + np.exp(-trees.logits(rows))) for trees in (whole, drawn)]
    assert shares[1].mean() == pytest.approx(shares[0].mean(), rel=0.2)  # not as frequent as among the rows drawn
    assert np.corrcoef(shares)[0, 1] > 0.9
