"""Keyphraseness of a corpus, counted in bounded memory."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keyseq.data.parallel import Track, untracked
from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.retrieval.terms import StemmedWords
from keyseq.retrieval.token_store import CountedKeyphrase, Integers, TokenStore
from keyseq.text.hashing import BREAK, LONGEST, Hashes, find, phrase_hash, run_hashes, stem_hashes

LONGEST_RUN = 4  # maximum words of a counted n-gram that is not a keyphrase
BUCKETS = 1 << 25  # of the first, rough count of runs
CHUNK = 30_000  # documents whose runs are counted together


@dataclass(frozen=True)
class RunCounts:
    """How many documents of a corpus contain each of its keyphrases, and each run of words that may be frequent."""

    store: TokenStore
    keys: Hashes  # (K,) sorted
    containing: NDArray[np.int64]  # (K,)
    long: Hashes  # keyphrases with more words than other runs that are counted
    least: int  # documents that contain a run, if it is no keyphrase

    @classmethod
    def of(cls, store: TokenStore, least: int, track: Track = untracked) -> "RunCounts":
        """Count those of a corpus.

        A first pass counts all runs by a part of their number, where several may share a place: what is too rare there
        is too rare. The second counts the rest exactly.
        """
        rough = np.zeros(BUCKETS, dtype=np.uint16)
        for words in track(store.documents(), "counting phrases", len(store)):
            places = _runs(words, LONGEST_RUN) % BUCKETS
            rough[places] += (rough[places] < least).astype(np.uint16)
        keys, containing = _exact(store, rough, _given(store.keyphrases), least, track)
        long = sorted({phrase_hash(one.stems) for one in store.keyphrases if len(one.stems) > LONGEST_RUN})
        return cls(store, keys, containing, np.array(long, dtype=np.uint32), least)

    def without(self, numbers: Integers) -> "RunCounts":
        """Those of the corpus without some of its documents: only these are counted again."""
        containing = self.containing.copy()
        for number in numbers.tolist():
            places = find(self.keys, _runs(self.store.document(number), LONGEST))
            containing[places[places >= 0]] -= 1
        others = np.setdiff1d(np.arange(len(self.store)), numbers)
        return RunCounts(self.store.part(others), self.keys, containing, self.long, self.least)

    def keyphraseness(self, least_given: int) -> Keyphraseness:
        """Keyphrases of enough documents, and runs of words that enough documents contain."""
        given = _given(self.store.keyphrases)
        as_keyphrase = np.array([given.get(key, 0) for key in self.keys.tolist()], dtype=np.uint32)
        frequent = (self.containing >= self.least) & ((as_keyphrase > 0) | (find(self.long, self.keys) < 0))
        kept = frequent | (as_keyphrase >= least_given)
        beginning, ending = _roles(self.store.keyphrases)
        outer = np.array(sorted({*beginning, *ending}), dtype=np.uint32)
        return Keyphraseness(
            documents=len(self.store),
            phrases=self.keys[kept],
            as_keyphrase=_small(as_keyphrase[kept]),
            containing=_small(self.containing[kept]),
            words=outer,
            beginning=_small([beginning[word] for word in outer.tolist()]),
            ending=_small([ending[word] for word in outer.tolist()]),
        )


def _exact(
    store: TokenStore, rough: NDArray[np.uint16], given: dict[int, int], least: int, track: Track
) -> tuple[Hashes, NDArray[np.int64]]:
    """How many documents contain each keyphrase, and each run that may be frequent enough."""
    keyphrases = np.array(sorted(given), dtype=np.uint32)
    keys, counts = keyphrases, np.zeros(len(keyphrases), dtype=np.int64)
    chunk: list[Hashes] = []
    for number, words in enumerate(track(store.documents(), "counting documents", len(store)), start=1):
        runs = _runs(words, LONGEST)
        chunk.append(runs[(rough[runs % BUCKETS] >= least) | (find(keyphrases, runs) >= 0)])
        if number % CHUNK == 0 or number == len(store):
            keys, counts = _merged(keys, counts, np.concatenate(chunk))
            chunk = []
    return keys, counts


def _merged(keys: Hashes, counts: NDArray[np.int64], more: Hashes) -> tuple[Hashes, NDArray[np.int64]]:
    new, times = np.unique(more, return_counts=True)
    joined = np.union1d(keys, new)
    total = np.zeros(len(joined), dtype=np.int64)
    total[find(joined, keys)] += counts
    total[find(joined, new)] += times
    return joined, total


def _runs(words: StemmedWords, longest: int) -> Hashes:
    """The distinct n-grams of a document up to a length: no punctuation inside, no stop word at either end."""
    stops, hashes = words.stops, words.hashes
    crossed = np.concatenate([[0], np.cumsum(hashes == BREAK)])
    found = []
    for length in range(1, min(longest, len(hashes)) + 1):
        starts = np.arange(len(hashes) - length + 1)
        good = ~stops[starts] & ~stops[starts + length - 1] & (crossed[starts + length] == crossed[starts])
        found.append(run_hashes(hashes, length)[good])
    return np.unique(np.concatenate(found)) if found else hashes


def _given(keyphrases: Iterable[CountedKeyphrase]) -> dict[int, int]:
    given: dict[int, int] = {}
    for one in keyphrases:
        key = phrase_hash(one.stems)
        given[key] = given.get(key, 0) + one.documents
    return given


def _roles(keyphrases: Iterable[CountedKeyphrase]) -> tuple[Counter[int], Counter[int]]:
    """How many keyphrases of documents begin and end with each word."""
    beginning: Counter[int] = Counter()
    ending: Counter[int] = Counter()
    for one in keyphrases:
        numbers = stem_hashes([one.stems[0], one.stems[-1]]).tolist()
        beginning[numbers[0]] += one.documents
        ending[numbers[1]] += one.documents
    return beginning, ending


def _small(counts: ArrayLike) -> NDArray[np.uint16]:
    """Counts in two bytes each: more than that many are as good as that many."""
    small: NDArray[np.uint16] = np.minimum(np.asarray(counts), np.iinfo(np.uint16).max).astype(np.uint16)
    return small
