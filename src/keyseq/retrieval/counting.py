"""Keyphraseness of a corpus, counted in bounded memory."""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keyseq.data.parallel import Track, untracked
from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.retrieval.terms import StemmedWords
from keyseq.retrieval.token_store import CountedKeyphrase, TokenStore
from keyseq.text.hashing import BREAK, LONGEST, Hashes, find, phrase_hash, run_hashes, stem_hashes

LONGEST_RUN = 4  # maximum words of a counted n-gram that is not a keyphrase
BUCKETS = 1 << 25  # of the first, rough count of runs
CHUNK = 30_000  # documents whose runs are counted together


def count_keyphrases(
    store: TokenStore, *, least_given: int = 2, least_documents: int = 12, track: Track = untracked
) -> Keyphraseness:
    """Count keyphrases of `least_given` documents, and runs of words that `least_documents` contain.

    A first pass counts all runs by a part of their number, where several may share a place: what is too rare there
    is too rare. The second counts the rest exactly.
    """
    rough = np.zeros(BUCKETS, dtype=np.uint16)
    for words in track(store.documents(), "counting phrases", len(store)):
        places = _runs(words, LONGEST_RUN) % BUCKETS
        rough[places] += (rough[places] < least_documents).astype(np.uint16)
    given = _given(store.keyphrases)
    keys, counts = _exact(store, rough, given, least_documents, track)
    as_keyphrase = np.array([given.get(key, 0) for key in keys.tolist()], dtype=np.uint32)
    kept = (counts >= least_documents) | (as_keyphrase >= least_given)
    beginning, ending = _roles(store.keyphrases)
    outer = np.array(sorted({*beginning, *ending}), dtype=np.uint32)
    return Keyphraseness(
        documents=len(store),
        phrases=keys[kept],
        as_keyphrase=_small(as_keyphrase[kept]),
        containing=_small(counts[kept]),
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
