"""Documents of one corpus that are the same work, found by sketches of their texts and by their titles."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from keyseq.data.leaks import Fingerprint, is_copy
from keyseq.data.shingles import alike, sketch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIKE = 0.8  # more than for leaks: series of papers and of questions share half of their words and differ in the rest
MOST_PAIRED = 50  # documents with one shingle in common that are all compared; of more, each with the first


class NearDuplicates:
    """Gathers a corpus, a few numbers a document, and then says which documents to drop.

    Sketches propose pairs, whose texts are then compared as a whole: memory holds a quarter of the shingles.
    """

    def __init__(self, threshold: float = ALIKE) -> None:
        self._threshold = threshold
        self._runs = array("Q")
        self._sizes = array("q")
        self._titles: dict[str, list[int]] = defaultdict(list)
        self._lengths = array("q")

    def add(self, known: Fingerprint) -> None:
        """Take up the next document."""
        number = len(self._sizes)
        runs = sketch(known.shingles)
        self._runs.frombytes(runs.tobytes())
        self._sizes.append(len(runs))
        self._lengths.append(len(known.shingles))
        if known.title:
            self._titles[known.title].append(number)

    def copies(self, fingerprint: Callable[[int], Fingerprint]) -> dict[int, int]:
        """The numbers of documents to drop, with that of the document kept instead: the longest, or the first."""
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
        """Pairs that share enough of their sketches, or the title; in order, so that files are read in order."""
        import numpy as np

        runs = np.frombuffer(self._runs, dtype=np.uint64)
        numbers = np.repeat(np.arange(len(self._sizes), dtype=np.uint32), self._sizes)
        order = np.argsort(runs, kind="stable")
        pairs = np.fromiter(_packed_pairs(runs[order], numbers[order]), dtype=np.uint64)
        packed, shared = np.unique(pairs, return_counts=True)
        one, other = packed >> np.uint64(32), packed & np.uint64(0xFFFFFFFF)
        sizes = np.frombuffer(self._sizes, dtype=np.int64)
        smaller = np.minimum(sizes[one], sizes[other])
        close = 2 * shared >= self._threshold * smaller  # a sample errs: half of what is asked for is enough
        found = set(zip(one[close].tolist(), other[close].tolist(), strict=True))
        for same in self._titles.values():
            found.update(_pairs(same))
        return sorted(found)


def _packed_pairs(runs: "NDArray[np.uint64]", numbers: "NDArray[np.uint32]") -> Iterator[int]:
    """Every two documents with a shingle in common, as one number, once for each such shingle."""
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
