"""Supervised discretization by minimum description length (Fayyad and Irani, 1993)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def cut_points(values: Floats, labels: Flags) -> list[float]:
    """The cut points that make bins most informative about the labels, in ascending order.

    A range is split where the entropy of the labels falls most, recursively, as long as a split saves more bits than
    its description costs (minimum description length).
    """
    order = np.argsort(values, kind="stable")
    found: list[float] = []
    ranges = [(values[order], labels[order])]
    while ranges:
        some, theirs = ranges.pop()
        place = _best_cut(some, theirs)
        if place is not None:
            found.append((some[place - 1] + some[place]) / 2)
            ranges += [(some[:place], theirs[:place]), (some[place:], theirs[place:])]
    return sorted(found)


def bins(values: Floats, cuts: Floats) -> NDArray[np.intp]:
    """The bin of each value: the number of cuts below it."""
    return np.searchsorted(cuts, values, side="left")


def _best_cut(values: Floats, labels: Flags) -> int | None:
    """The number of sorted values below the best cut, if a cut is worth its description."""
    size = len(values)
    places = np.flatnonzero(values[1:] > values[:-1]) + 1
    if not len(places):
        return None
    yes, total = np.cumsum(labels)[places - 1], int(labels.sum())
    below, above = _entropy(yes, places), _entropy(total - yes, size - places)
    after = (places * below + (size - places) * above) / size
    best = int(np.argmin(after))
    whole = float(_entropy(total, size))
    classes = [_classes(yes[best], places[best]), _classes(total - yes[best], size - places[best])]
    all_classes = _classes(total, size)
    cost = np.log2(3**all_classes - 2) - (all_classes * whole - classes[0] * below[best] - classes[1] * above[best])
    return int(places[best]) if whole - after[best] > (np.log2(size - 1) + cost) / size else None


def _entropy(yes: Any, size: Any) -> Any:  # numbers or arrays of them
    """The entropy in bits of a label that is true in `yes` of `size` cases."""
    share = np.asarray(yes / size, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    return np.nan_to_num(bits)


def _classes(yes: int, size: int) -> int:
    """The number of different labels."""
    return 2 if 0 < yes < size else 1
