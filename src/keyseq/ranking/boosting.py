"""Gradient-boosted trees: trained by LightGBM, stored as plain arrays, evaluated with NumPy alone."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.config.fields import setting
from keyseq.imports import require

DEPTH = 6  # splits on the way to a leaf: all trees are stored as complete ones of this depth
MOST_VALUES = 32_768  # trees × rows evaluated at a time: their node indices fit into the processor's cache
Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class BoostingSettings:
    """Hyperparameters of the trees."""

    trees: int = setting(300, "number of trees", least=1)
    leaves: int = setting(31, "maximum leaves per tree", least=2)
    rate: float = setting(0.05, "learning rate", least=0)
    leaf: int = setting(40, "minimum examples per leaf", least=1)
    l2: float = setting(5.0, "L2 regularisation of leaf values", least=0)
    columns: float = setting(0.7, "fraction of the features that each tree may use", least=0)
    most_rows: int = setting(
        0, "maximum training candidates: all keyphrases and a weighted sample of the others; 0: all", least=0
    )
    seed: int = setting(3435, "random seed", least=0)


@dataclass(frozen=True, kw_only=True)
class BoostedTrees:
    """Complete binary trees of `DEPTH` levels.

    Node i of a level leads to 2i (value <= threshold) or 2i + 1 of the next. The nodes of a tree are stored level by
    level. A branch that ends early tests feature 0 against an infinite threshold, so that its value is found at the
    end.
    """

    features: NDArray[np.uint8]  # (T, 2 ** DEPTH - 1)
    thresholds: Floats  # (T, 2 ** DEPTH - 1)
    leaves: Floats  # (T, 2 ** DEPTH)
    start: Floats  # (1,) initial value of every sum

    @classmethod
    def fit(
        cls, rows: Floats, labels: NDArray[np.bool_], settings: BoostingSettings, weights: Floats | None = None
    ) -> "BoostedTrees":
        """Fit to features (N, F) and labels (N,) by the logistic loss; `weights` (N,) are 1 by default."""
        lightgbm = require("lightgbm", "combined")
        if 0 < settings.most_rows < len(rows):
            kept, stands_for = _drawn(labels, settings)
            weights = stands_for if weights is None else weights[kept] * stands_for
            rows, labels = rows[kept], labels[kept]
        options = {
            "objective": "binary",
            "num_leaves": settings.leaves,
            "max_depth": DEPTH,
            "learning_rate": settings.rate,
            "min_data_in_leaf": settings.leaf,
            "lambda_l2": settings.l2,
            "feature_fraction": settings.columns,
            "use_missing": False,
            "deterministic": True,
            "force_row_wise": True,
            "seed": settings.seed,
            "verbosity": -1,
            # threads wait for each other at every leaf; several sets of trees are rather trained in parallel
            "num_threads": 1,
        }
        data = lightgbm.Dataset(rows, labels.astype(np.float32), weight=weights)
        model = lightgbm.train(options, data, settings.trees).dump_model()
        trees = [_laid_out(info["tree_structure"]) for info in model["tree_info"]]
        return cls(
            features=np.stack([tree[0] for tree in trees]),
            thresholds=np.stack([tree[1] for tree in trees]),
            leaves=np.stack([tree[2] for tree in trees]),
            start=np.zeros(1, dtype=np.float32),
        )

    def logits(self, rows: Floats) -> Floats:
        """The sum of the trees' values for each row of features (N, F)."""
        columns = np.ascontiguousarray(rows.T, dtype=np.float32)
        total = np.zeros(len(rows))
        some = max(1, MOST_VALUES // max(1, len(rows)))  # trees at a time
        for start in range(0, len(self.features), some):
            total += self._values(columns, slice(start, start + some)).sum(axis=0, dtype=np.float64)
        summed: Floats = total.astype(np.float32) + self.start[0]
        return summed

    def _values(self, columns: Floats, trees: slice) -> Floats:
        """The values of some trees (T,) for all rows, given by feature (F, N): (T, N)."""
        size = columns.shape[1]
        values, rows = columns.ravel(), np.arange(size)
        (features, thresholds), *levels = [(features[trees], bars[trees]) for features, bars in self._levels]
        at = np.arange(0, 2 * len(features), 2)[:, None] + (columns[features[:, 0]] > thresholds)  # all ask the first
        for features, thresholds in levels:
            asked = (features * size).ravel().take(at)
            asked += rows
            right = values.take(asked) > thresholds.ravel().take(at)
            at += at
            at += right
        return self.leaves[trees].ravel().take(at)

    @cached_property
    def _levels(self) -> list[tuple[NDArray[np.intp], Floats]]:
        """The features, as indices, and the thresholds of each level: those of a node's successors are next to it."""
        bounds = [slice(2**level - 1, 2 ** (level + 1) - 1) for level in range(DEPTH)]
        parts = ((self.features[:, one].astype(np.intp), self.thresholds[:, one]) for one in bounds)
        return [(features, np.ascontiguousarray(thresholds)) for features, thresholds in parts]

    def arrays(self) -> dict[str, Any]:
        """The parameters, by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_arrays(cls, named: Mapping[str, Any], features: int) -> "BoostedTrees":
        """Restore from `arrays`; KeyError or ValueError if they are invalid."""
        given = {field.name: named[field.name] for field in fields(cls)}
        trees = len(given["features"])
        shapes = {
            "features": (trees, 2**DEPTH - 1),
            "thresholds": (trees, 2**DEPTH - 1),
            "leaves": (trees, 2**DEPTH),
            "start": (1,),
        }
        if any(given[name].shape != shape for name, shape in shapes.items()):
            raise ValueError("arrays of other shapes than trees have")
        if given["features"].dtype != np.uint8 or (given["features"] >= features).any():
            raise ValueError(f"trees that ask for more than {features} features")
        if not np.isfinite(given["leaves"]).all() or np.isnan(given["thresholds"]).any():
            raise ValueError("values that are not numbers")
        return cls(**given)


def _drawn(labels: NDArray[np.bool_], settings: BoostingSettings) -> tuple[NDArray[np.int64], Floats]:
    """All positive examples, a sample of the negative ones, and the sampling weight of each."""
    right, wrong = np.flatnonzero(labels), np.flatnonzero(~labels)
    room = min(len(wrong), max(settings.most_rows - len(right), len(right), 1))
    chosen = np.random.default_rng(settings.seed).choice(wrong, room, replace=False)
    kept = np.sort(np.concatenate([right, chosen]))
    return kept, np.where(labels[kept], 1, len(wrong) / room).astype(np.float32)


def _laid_out(tree: Mapping[str, Any]) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """A tree of LightGBM's as a whole one."""
    features = np.zeros(2**DEPTH - 1, dtype=np.uint8)
    thresholds = np.full(2**DEPTH - 1, np.inf, dtype=np.float32)
    leaves = np.zeros(2**DEPTH, dtype=np.float32)

    def lay(node: Mapping[str, Any], level: int, number: int) -> None:
        if level == DEPTH:
            leaves[number] = node["leaf_value"]
            return
        if "leaf_value" in node:
            lay(node, level + 1, 2 * number)
            return
        place = 2**level - 1 + number
        features[place] = node["split_feature"]
        thresholds[place] = _rounded_down(node["threshold"])
        lay(node["left_child"], level + 1, 2 * number)
        lay(node["right_child"], level + 1, 2 * number + 1)

    lay(tree, 0, 0)
    return features, thresholds, leaves


def _rounded_down(threshold: float) -> np.float32:
    """The largest float32 that is not above the threshold, so that float32 values compare the same."""
    rounded = np.float32(threshold)
    return rounded if float(rounded) <= threshold else np.nextafter(rounded, np.float32(-np.inf))
