"""Features of the second trees: how the best candidates relate to each other, against fragments and near-copies."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from keyseq.ranking.pool import Sketch
from keyseq.ranking.runs import Flags, Floats, Integers
from keyseq.text.hashing import distinct, find, run_hashes

MOST = 40  # number of best candidates
NONE = -12.0  # the logit if there is no such candidate


class Shortlist:
    """The best candidates (M,) by a first logit, and how they overlap."""

    def __init__(self, sketch: Sketch, logits: Floats | NDArray[np.float32]) -> None:
        self.numbers: Integers = np.argsort(-logits, kind="stable")[:MOST]
        self.logits: Floats = logits[self.numbers].astype(float)
        self.sketch = sketch.of(self.numbers)
        filled = self.sketch.words != 0
        self.lengths: Integers = filled.sum(axis=1)
        self._words = self.sketch.words[:, : np.flatnonzero(filled.any(axis=0)).max(initial=-1) + 1]
        self.contained = self._contained()
        self.sharing = self._sharing()

    def _contained(self) -> Flags:
        """Whether the words of candidate i stand in a row within those of a longer candidate j (M, M)."""
        inside = np.zeros((len(self.numbers), len(self.numbers)), dtype=bool)
        for length in range(1, self._words.shape[1]):
            runs = run_hashes(self._words.T, length)  # of all candidates at once (starts, M)
            own = (self.lengths > length) & (self.lengths >= length + np.arange(len(runs))[:, None])
            inside |= ((self.sketch.keys[:, None, None] == runs) & own).any(axis=1)
        return inside

    def _sharing(self) -> Flags:
        """Whether two candidates have a word in common (M, M); none with itself."""
        different = distinct(self._words[self._words != 0])
        words = find(different, self._words)
        has = np.zeros((len(self.numbers), len(different) + 1), dtype=np.float32)
        has[np.arange(len(words))[:, None], words] = 1  # the last column is that of no word
        shared = has[:, :-1] @ has[:, :-1].T > 0
        np.fill_diagonal(shared, False)
        return shared

    def best(self, related: Flags) -> Floats:
        """The highest logit among those to which each is related (M,)."""
        found: Floats = np.where(related, self.logits[None, :], NONE).max(axis=1, initial=NONE)
        return found


Relation = Callable[[Shortlist], NDArray[np.generic]]

# The features of the second trees: each a function over the shortlist
RELATIONS: dict[str, Relation] = {
    "logit": lambda listed: listed.logits,
    "rank": lambda listed: np.arange(len(listed.logits)),
    "best_containing": lambda listed: listed.best(listed.contained),
    "best_contained": lambda listed: listed.best(listed.contained.T),
    "best_sharing": lambda listed: listed.best(listed.sharing),
    "better_sharing": lambda listed: np.tril(listed.sharing, -1).sum(axis=1),
    "above_mean": lambda listed: listed.logits - listed.logits[:5].mean(),
    "words": lambda listed: listed.lengths,
    "in_text": lambda listed: listed.sketch.in_text,
    "is_label": lambda listed: listed.sketch.is_label,
    "generated": lambda listed: listed.sketch.generated,
    "part_of_longer": lambda listed: listed.sketch.part_of_longer,
}


def relations(shortlist: Shortlist) -> NDArray[np.float32]:
    """The features of the best candidates (M, F), in the order of `RELATIONS`."""
    if not len(shortlist.numbers):
        return np.zeros((0, len(RELATIONS)), dtype=np.float32)
    columns = np.empty((len(RELATIONS), len(shortlist.numbers)), dtype=np.float32)
    for column, relation in zip(columns, RELATIONS.values(), strict=True):
        column[:] = relation(shortlist)
    return columns.T


def fragments(shortlist: Shortlist, logits: Floats) -> Flags:
    """Which of the candidates (M,) the text has only inside one that is better by these logits.

    Also around a stop word, where no tagger tells phrases: "secco" of "muretti a secco".
    """
    better = shortlist.contained & (logits[None, :] > logits[:, None])
    covered: Flags = np.any(better, axis=1)
    times = shortlist.sketch.times
    as_often: Flags = np.any(better & (times[None, :] >= times[:, None]) & (times[:, None] > 0), axis=1)
    return (covered & (shortlist.sketch.part_of_longer >= 1)) | as_often
