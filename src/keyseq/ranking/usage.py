"""How a text uses a phrase: features of casing, counts and neighbours, which need no corpus, tagger or language."""

import numpy as np

from keyseq.ranking.pool import Pool
from keyseq.ranking.runs import Floats
from keyseq.text.hashing import BREAK

UNTOLD = 0.5  # the share of capitals of a phrase that stands at the beginning of sentences alone


def capitalised_inside(pool: Pool) -> Floats:
    """Share of its occurrences inside a sentence that begin with a capital."""
    places = pool.runs.places
    after_mark = pool.tokens.breaks.copy()
    after_mark[:1] = True
    after_mark[1:] |= pool.tokens.hashes[:-1] == BREAK
    inside = ~after_mark[places]
    capital = inside & (pool.word_shapes[places, 1] > 0)
    among = np.add.reduceat(inside.astype(float), pool.runs.offsets[:-1]) if len(places) else np.zeros(0)
    share = pool.runs.share(capital) * pool.runs.counts / np.maximum(among, 1)
    return pool.of_runs(np.where(among > 0, share, UNTOLD))


def acronym(pool: Pool) -> Floats:
    """Whether one of its words is of capitals alone, where it first stands."""
    return pool.of_runs(pool.extreme(pool.word_shapes[:, 3], np.maximum))


def relative_occurrences(pool: Pool) -> Floats:
    """How often the text has it, beside the most frequent phrase."""
    return pool.of_runs(pool.runs.counts / pool.runs.counts.max(initial=1), 0.0)


def spread(pool: Pool) -> Floats:
    """The share of the text between its first and its last occurrence."""
    return pool.of_runs((pool.runs.last - pool.runs.first) / max(1, len(pool.tokens.hashes)))


def cohesion(pool: Pool) -> Floats:
    """Of the occurrences of its rarest word, the share within it."""
    return pool.of_runs(pool.runs.counts / pool.extreme(pool.word_counts, np.minimum))


def shortest_word(pool: Pool) -> Floats:
    """How many characters its shortest word has."""
    return pool.of_runs(pool.extreme(pool.word_shapes[:, 0], np.minimum))


def words_around(pool: Pool) -> Floats:
    """How many words stand in a row, without a mark or stop word, where it first stands."""
    begins = pool.tokens.breaks | pool.tokens.stops
    begins[1:] |= pool.tokens.stops[:-1]
    rows = np.cumsum(begins)
    return pool.of_runs(np.bincount(rows, minlength=1)[rows][pool.runs.first].astype(float))


def left_variety(pool: Pool) -> Floats:
    """How many different words stand before its first word, for each occurrence of that word."""
    return pool.of_runs(_variety(pool, -1)[pool.runs.first])


def right_variety(pool: Pool) -> Floats:
    """How many different words stand after its last word, for each occurrence of that word."""
    return pool.of_runs(_variety(pool, 1)[pool.runs.first + pool.runs.lengths - 1])


def _variety(pool: Pool, side: int) -> Floats:
    """Of each word of the text (T,), its different neighbours on one side for each of its occurrences."""
    words = pool.word_numbers
    edge = np.full(1, len(words))  # no word's number
    beside = np.concatenate([edge, words[:-1]] if side < 0 else [words[1:], edge])[: len(words)]
    pairs = np.unique(words * (len(words) + 1) + beside, return_counts=True)[0]
    different = np.bincount(pairs // (len(words) + 1), minlength=len(words))
    variety: Floats = different[words] / pool.word_counts
    return variety
