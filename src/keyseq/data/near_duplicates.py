"""Near-duplicates within a corpus, found by sketches of texts and by titles."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from keyseq.data.leaks import Fingerprint, is_copy
from keyseq.data.shingles import alike, sketch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIKE = 0.8  # higher than for leaks: papers or questions of a series share half of their words
MOST_PAIRED = 50  # documents sharing a shingle that are compared pairwise; beyond that, each with the first only


class NearDuplicates:
    """Collects fingerprints of a corpus, and then finds the documents to drop.

    Sketches propose pairs, whose full texts are then compared: memory holds a quarter of the shingles.
    """

    def __init__(self, threshold: float = ALIKE) -> None:
        self._threshold = threshold
        self._runs = array("Q")
        self._sizes = array("q")
        self._titles: dict[str, list[int]] = defaultdict(list)
        self._lengths = array("q")

    def add(self, known: Fingerprint) -> None:
        """Add the next document."""
        number = len(self._sizes)
        runs = sketch(known.shingles)
        self._runs.frombytes(runs.tobytes())
        self._sizes.append(len(runs))
        self._lengths.append(len(known.shingles))
        if known.title:
            self._titles[known.title].append(number)

    def copies(self, fingerprint: Callable[[int], Fingerprint]) -> dict[int, int]:
        """The documents to drop, by number, with the number of the kept one: the longest, or the first."""
        neighbours: dict[int, list[int]] = defaultdict(list)
        for one, other in self._candidates():
            first, second = fingerprint(one), fingerprint(other)
            shared = round(alike(first.shingles, second.shingles) * min(len(first.shingles), len(second.shingles)))
            if is_copy(shared, first, second, self._threshold):
                neighbours[one].append(other)
                neighbours[other].append(one)
        dropped: dict[int, int] = {}
        for number in sorted(neighbours, key=lambda number: (-self._lengths[number], number)):
            if number not in dropped:
                dropped |= {other: number for other in neighbours[number] if other not in dropped}
        return dropped

    def _candidates(self) -> list[tuple[int, int]]:
        """Pairs that share enough of their sketches, or the title; sorted, so that files are read in order."""
        import numpy as np

        runs = np.frombuffer(self._runs, dtype=np.uint64)
        numbers = np.repeat(np.arange(len(self._sizes), dtype=np.uint32), self._sizes)
        order = np.argsort(runs, kind="stable")
        pairs = np.fromiter(_packed_pairs(runs[order], numbers[order]), dtype=np.uint64)
        packed, shared = np.unique(pairs, return_counts=True)
        one, other = packed >> np.uint64(32), packed & np.uint64(0xFFFFFFFF)
        sizes = np.frombuffer(self._sizes, dtype=np.int64)
        smaller = np.minimum(sizes[one], sizes[other])
        close = 2 * shared >= self._threshold * smaller  # a sketch is a sample: half of the threshold suffices
        found = set(zip(one[close].tolist(), other[close].tolist(), strict=True))
        for same in self._titles.values():
            found.update(_pairs(same))
        return sorted(found)


def _packed_pairs(runs: "NDArray[np.uint64]", numbers: "NDArray[np.uint32]") -> Iterator[int]:
    """Pairs of documents that share a shingle, packed into one number, once per shingle."""
    import numpy as np

    bounds = np.flatnonzero(np.diff(runs)) + 1
    starts, ends = np.append(0, bounds), np.append(bounds, len(runs))
    several = ends - starts > 1
    for start, end in zip(starts[several].tolist(), ends[several].tolist(), strict=True):
        for one, other in _pairs(numbers[start:end].tolist()):
            yield one << 32 | other


def _pairs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    firsts = numbers[:1] if len(numbers) > MOST_PAIRED else numbers
    for place, one in enumerate(firsts):
        for other in numbers[place + 1 :]:
            yield one, other
