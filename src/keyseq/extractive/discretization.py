"""Numbers into bins that tell two classes apart (Fayyad and Irani, 1993)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def cut_points(values: Floats, labels: Flags) -> list[float]:
    """Where to cut the values so that their bins say most about the labels, in ascending order.

    A range is cut in two where the entropy of the labels falls most, and its parts again, as long as the bits that a
    cut saves outweigh those that it takes to tell of it (minimum description length).
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
    """The bin of each value: how many cuts lie below it."""
    return np.searchsorted(cuts, values, side="left")


def _best_cut(values: Floats, labels: Flags) -> int | None:
    """How many of the sorted values lie below the best cut, if one pays."""
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
    told = np.log2(3**all_classes - 2) - (all_classes * whole - classes[0] * below[best] - classes[1] * above[best])
    return int(places[best]) if whole - after[best] > (np.log2(size - 1) + told) / size else None


def _entropy(yes: Any, size: Any) -> Any:  # numbers or arrays of them
    """The bits of a label of which `yes` in `size` are true."""
    share = np.asarray(yes / size, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    return np.nan_to_num(bits)


def _classes(yes: int, size: int) -> int:
    """How many different labels there are."""
    return 2 if 0 < yes < size else 1
