"""Bagged decision trees: trained by scikit-learn, stored as plain arrays, evaluated with NumPy alone."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.extractive.discretization import Flags, Floats
from keyseq.imports import require

LEAF = -1
Integers = NDArray[np.int32]


@dataclass(frozen=True, kw_only=True)
class Growth:
    """How trees are trained: their number, the fraction of examples for each, and the minimum examples of a leaf."""

    trees: int
    share: float
    leaf: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class Forest:
    """The nodes of all trees in flat arrays: `roots` (T,), all others (N,) by node.

    An inner node sends a row to `below` if its `feature` is at most `threshold`, otherwise to `above`; `chance` is the
    fraction of keyphrases among the training examples of a leaf.
    """

    roots: Integers
    feature: Integers
    threshold: Floats
    below: Integers
    above: Integers
    chance: Floats

    @classmethod
    def fit(cls, rows: Floats, labels: Flags, growth: Growth) -> "Forest":
        """Fit to features (N, F) and labels (N,) of candidates."""
        ensemble, tree = require("sklearn.ensemble", "baselines"), require("sklearn.tree", "baselines")
        grown = ensemble.BaggingClassifier(
            tree.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=growth.leaf),
            n_estimators=growth.trees,
            max_samples=max(1, round(growth.share * len(rows))),
            random_state=growth.seed,
        ).fit(rows, labels)
        yes = list(grown.classes_).index(True)  # trees number their labels, and there may be only one
        trees = [_nodes(one, yes) for one in grown.estimators_]
        roots = np.cumsum([0, *(len(one["feature"]) for one in trees[:-1])]).astype(np.int32)
        for root, one in zip(roots, trees, strict=True):
            one["below"] += root
            one["above"] += root
        joined = {name: np.concatenate([one[name] for one in trees]) for name in trees[0]}
        return cls(roots=roots, **joined)

    def probability(self, rows: Floats) -> Floats:
        """The mean probability of the trees for features (N, F)."""
        rows = rows.astype(np.float32)  # as in training
        at = np.tile(self.roots, (len(rows), 1))
        asked = self.feature[at]
        while (asked != LEAF).any():
            value = np.take_along_axis(rows, np.maximum(asked, 0), axis=1)
            onward = np.where(value <= self.threshold[at], self.below[at], self.above[at])
            at = np.where(asked == LEAF, at, onward)
            asked = self.feature[at]
        mean: Floats = self.chance[at].mean(axis=1)
        return mean

    def arrays(self) -> dict[str, Any]:
        """The parameters, by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_arrays(cls, named: Mapping[str, Any], features: int) -> "Forest":
        """Restore from `arrays`; KeyError, TypeError or ValueError if they are invalid."""
        given = {field.name: named[field.name] for field in fields(cls)}
        nodes = len(given["feature"])
        inner, numbers = given["feature"] != LEAF, np.arange(nodes)
        sound = (
            all(array.ndim == 1 for array in given.values())
            and all(len(array) == nodes for name, array in given.items() if name != "roots")
            and len(given["roots"]) > 0
            and all(given[name].dtype.kind == "i" for name in ("roots", "feature", "below", "above"))
            and np.all((given["roots"] >= 0) & (given["roots"] < nodes))
            and np.all((given["feature"] >= LEAF) & (given["feature"] < features))
            # children come after their parents, so that every path ends
            and all(
                np.all((given[name] > numbers)[inner] & (given[name] < nodes)[inner]) for name in ("below", "above")
            )
        )
        if not sound:
            raise ValueError("nodes that do not form trees")
        return cls(**given)


def _nodes(tree: Any, label: int) -> dict[str, Any]:  # a DecisionTreeClassifier
    """A tree of scikit-learn as arrays; `label` is the number of the positive class."""
    inside, classes = tree.tree_, list(tree.classes_)
    shares = inside.value[:, 0, :]
    yes = shares[:, classes.index(label)] if label in classes else np.zeros(len(shares))
    return {
        "feature": np.where(inside.children_left == LEAF, LEAF, inside.feature).astype(np.int32),
        "threshold": inside.threshold.astype(np.float64),
        "below": inside.children_left.astype(np.int32),
        "above": inside.children_right.astype(np.int32),
        "chance": (yes / shares.sum(axis=1)).astype(np.float64),
    }
