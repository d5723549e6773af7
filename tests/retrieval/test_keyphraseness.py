"""Counts of phrases and words are looked up, and what was never counted is 0."""

import math

import numpy as np
import pytest

from keyseq.retrieval.keyphraseness import Keyphraseness
from keyseq.text.hashing import phrase_hash

PARK, GREEN_PARK, BIRD = (phrase_hash(phrase.split()) for phrase in ("park", "green park", "bird"))


def counts(phrases, words=()):
    """A table from (phrase, given, contained) and (word, begins, ends)."""
    phrases, words = sorted(phrases), sorted(words)
    columns = [np.array([row[place] for row in phrases], dtype=np.uint32) for place in range(3)]
    roles = [np.array([row[place] for row in words], dtype=np.uint32) for place in range(3)]
    return Keyphraseness(
        documents=9,
        phrases=columns[0],
        as_keyphrase=columns[1],
        containing=columns[2],
        words=roles[0],
        beginning=roles[1],
        ending=roles[2],
    )


def test_phrases_and_words_are_looked_up_and_unknown_ones_are_zero():
    known = counts([(PARK, 2, 4), (GREEN_PARK, 3, 1)], [(PARK, 0, 5)])
    given, contained = known.of_phrases(np.array([GREEN_PARK, BIRD, PARK], dtype=np.uint32))
    assert (given.tolist(), contained.tolist()) == ([3, 0, 2], [1, 0, 4])
    begins, ends = known.of_words(np.array([BIRD, PARK], dtype=np.uint32))
    assert (begins.tolist(), ends.tolist()) == ([0, 0], [0, 5])


def test_idf_is_the_log_of_documents_over_those_that_contain_it():
    known = counts([(PARK, 2, 4)])
    assert known.idf(np.array([PARK, BIRD], dtype=np.uint32)) == pytest.approx([math.log(10 / 5), math.log(10)])


def test_an_empty_table_knows_nothing():
    known = counts([])
    assert known.of_phrases(np.array([PARK], dtype=np.uint32))[0].tolist() == [0]
    assert known.idf(np.array([PARK], dtype=np.uint32)) == pytest.approx([math.log(10)])


def test_counts_that_do_not_fit_their_phrases_are_refused():
    good = counts([(PARK, 2, 4)], [(PARK, 0, 5)])
    good.check()
    for name in ("as_keyphrase", "containing", "beginning", "ending"):
        parts = {field: getattr(good, field) for field in good.__dataclass_fields__}
        with pytest.raises(ValueError, match="do not fit"):
            Keyphraseness(**(parts | {name: parts[name][:0]})).check()
