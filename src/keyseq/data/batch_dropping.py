"""KPDrop in training: present keyphrases are dropped from the sources, anew in each epoch (Ray Chowdhury et al., 2022).

Works on word ids, so that a corpus is encoded once. Words with the same stem are the same; of words outside the
vocabulary, only equal ones are.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keyseq.config import TargetSettings
from keyseq.data.examples import ABSENT
from keyseq.data.network_inputs import InputField, NetworkInput
from keyseq.data.vocabulary import PAD, Vocabulary
from keyseq.text.analyzer import Analyzer

MARK = PAD  # one in the place of each dropped run of words; its embedding is zero

Numbers = NDArray[np.int64]


class PhraseDropping:
    """Drops each present phrase of a document with a probability, wherever it occurs."""

    def __init__(self, vocabulary: Vocabulary, settings: TargetSettings) -> None:
        self._rate = settings.drop
        _, kinds = np.unique(Analyzer.of(settings).stems(vocabulary.words), return_inverse=True)
        self._kinds: Numbers = kinds

    def places(
        self, source: NDArray[Any], lengths: Sequence[int], positions: NDArray[np.int32], key: tuple[int, int, int]
    ) -> tuple[Numbers, NDArray[np.int32]]:
        """The places of the source words that are left, -1 for a mark, and the positions of the phrases among them.

        `lengths` are those of the phrases in words, `positions` are in the whole source; `key` is (seed, epoch,
        document). Phrases that overlapped a dropped one wherever they occurred are absent too.
        """
        kinds = self._kinds_of(source)
        patterns = [kinds[at : at + length] for at, length in zip(positions.tolist(), lengths, strict=True)]
        lots = np.random.default_rng(key).random(len(patterns))
        gone = np.zeros(len(source), dtype=bool)
        for pattern, position, lot in zip(patterns, positions.tolist(), lots, strict=True):
            if position != ABSENT and lot < self._rate:
                for start in _occurrences(kinds, pattern):
                    gone[start : start + len(pattern)] = True
        begins = gone & ~np.concatenate([[False], gone[:-1]])
        places = np.where(gone, ABSENT, np.arange(len(source)))[~gone | begins]
        left = np.where(places >= 0, kinds[places], ABSENT)
        found = [
            next(iter(_occurrences(left, pattern)), ABSENT) if position != ABSENT else ABSENT
            for pattern, position in zip(patterns, positions.tolist(), strict=True)
        ]
        return places, np.array(found, dtype=np.int32)

    def _kinds_of(self, source: NDArray[Any]) -> Numbers:
        known = source < len(self._kinds)
        return np.where(known, self._kinds[np.where(known, source, 0)], source.astype(np.int64))


def left_over(given: NetworkInput, places: Numbers, fields: Iterable[InputField]) -> NetworkInput:
    """What a network reads at these places; inputs along the source have their padding at marks."""
    along = {one.name: one.padding for one in fields if one.read is not None and not one.has_lengths}
    further = {
        name: _taken(values, places, along[name]) if name in along else values for name, values in given.further.items()
    }
    return NetworkInput(_taken(given.ids, places, MARK), further)


def _taken(values: NDArray[Any], places: Numbers, mark: int) -> NDArray[Any]:
    return np.where(places >= 0, values[places], values.dtype.type(mark))


def _occurrences(kinds: Numbers, pattern: Numbers) -> list[int]:
    """Where a pattern begins in a text."""
    if len(pattern) > len(kinds):
        return []
    windows = np.lib.stride_tricks.sliding_window_view(kinds, len(pattern))
    found: list[int] = np.flatnonzero((windows == pattern).all(axis=1)).tolist()
    return found
