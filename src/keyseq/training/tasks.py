"""Multi-task training: which steps learn to generate titles, and from which documents."""

from math import floor

import numpy as np
from numpy.typing import NDArray

from keyseq.data.batching import Batch, Batches


class TitleBatches:
    """Batches of titles for a share of the steps, evenly spread.

    Both are functions of the step alone, so that a run can resume anywhere.
    """

    def __init__(self, batches: Batches, share: float) -> None:
        self._batches, self._share = batches, share
        self._epoch, self._first = 0, 0  # the epoch that was planned last, and the number of its first batch
        self._plan: list[NDArray[np.int64]] = batches.plan(0)

    @property
    def corpus(self) -> str:
        """The key of the corpus of titles."""
        return self._batches.corpus.name

    def is_due(self, step: int) -> bool:
        """Whether step 1, 2, … is one of titles."""
        return floor(step * self._share) > floor((step - 1) * self._share)

    def batch(self, step: int) -> Batch:
        """The titles of a step."""
        number = floor((step - 1) * self._share)  # of title steps before
        if number < self._first:
            self._epoch, self._first, self._plan = 0, 0, self._batches.plan(0)
        while number >= self._first + len(self._plan):
            self._epoch, self._first = self._epoch + 1, self._first + len(self._plan)
            self._plan = self._batches.plan(self._epoch)
        return self._batches.batch(self._plan[number - self._first], self._epoch)
