"""Keyphraseness: how often each phrase was given as a keyphrase, and how many documents contain it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keyseq.text.hashing import Hashes, find

Counts = NDArray[np.uint16]
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Keyphraseness:
    """Counts over a corpus of `documents` documents.

    Of each phrase (P,) how many documents have it as a keyphrase and how many contain it; of each word (W,) how many
    keyphrases begin and end with it. What is not in the table was counted too rarely to be kept.
    """

    documents: int
    phrases: Hashes  # (P,) sorted
    as_keyphrase: Counts  # (P,)
    containing: Counts  # (P,)
    words: Hashes  # (W,) sorted
    beginning: Counts  # (W,)
    ending: Counts  # (W,)

    def check(self) -> None:
        """ValueError unless there are as many counts as phrases and words."""
        sound = len(self.as_keyphrase) == len(self.containing) == len(self.phrases) and len(self.beginning) == len(
            self.ending
        ) == len(self.words)
        if not sound:
            raise ValueError("counts that do not fit their phrases")

    def of_phrases(self, keys: Hashes) -> tuple[Floats, Floats]:
        """How many documents have each phrase as a keyphrase, and how many contain it."""
        places = find(self.phrases, keys)
        return _counts(self.as_keyphrase, places), _counts(self.containing, places)

    def of_words(self, keys: Hashes) -> tuple[Floats, Floats]:
        """How many keyphrases begin and end with each word."""
        places = find(self.words, keys)
        return _counts(self.beginning, places), _counts(self.ending, places)

    def idf(self, keys: Hashes) -> Floats:
        """How rare each phrase is: log((N + 1) / (df + 1))."""
        _, containing = self.of_phrases(keys)
        return np.log((self.documents + 1) / (containing + 1))


def _counts(values: Counts, places: NDArray[np.int64]) -> Floats:
    if not len(values):
        return np.zeros(len(places))
    return np.where(places >= 0, values[places], 0).astype(float)
