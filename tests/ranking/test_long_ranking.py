"""The ranking of long texts: what repeats counts, longer lists for longer texts, and equal shares in learning."""

import numpy as np
import pytest
from tests.ranking.handmade import keyphraseness

from keyseq.extractive.reading import Reading
from keyseq.ranking.long_ranking import (
    LONGEST_LIST,
    MEASURED,
    OFTEN,
    LongExample,
    LongRanking,
    learn_long_ranking,
    longest_list,
)
from keyseq.ranking.long_text import LONG, LongText
from keyseq.ranking.pool import Known, Pool
from keyseq.text.analyzer import ENGLISH
from keyseq.text.hashing import phrase_hash
from keyseq.text.presence import phrase_stems
from keyseq.types import Document

TEXT = "Amber lamps save moths. Amber lamps save pollen.\nAmber lamps help moths."


def measures(name):
    whole = LongText(Document(id="1", body=TEXT), ENGLISH)
    pool = Pool(Reading("Amber lamps save moths.", ENGLISH), "", Known(keyphraseness()), (), whole)
    found = MEASURED[name](pool, whole)
    return {
        phrase: float(found[np.flatnonzero(pool.keys == phrase_hash(phrase_stems(phrase)))[0]])
        for phrase in ("amber lamps", "moths")
    }


def test_repetitions_saturate_and_a_longer_phrase_needs_fewer():
    assert measures("repeated") == {
        "amber lamps": pytest.approx(3 * 4 / (3 * 4 + OFTEN)),  # three times two words, squared
        "moths": pytest.approx(2 / (2 + OFTEN)),
    }


def test_a_longer_text_may_have_a_longer_list():
    def longest(characters):
        return longest_list(LongText(Document(id="1", body="word " * (characters // 5)), ENGLISH))

    assert longest(LONG) == 14
    assert longest(4 * LONG) == 22
    assert longest(64 * LONG) == LONGEST_LIST


def test_each_collection_counts_the_same_however_many_texts_it_has():
    # one text where the feature speaks for keyphrases, nine of another collection where it speaks against them
    rows = np.array([[0.0], [1.0]] * 10)
    speaks = LongExample("small", rows, rows[:, 0] == 1, 12)
    against = LongExample("large", rows, rows[:, 0] == 0, 12)
    learnt = learn_long_ranking([speaks, *[against] * 9])
    assert learnt.weights[0] == pytest.approx(0, abs=1e-6)
    assert learnt.others == 2  # twelve, ten of which are among the candidates


def test_what_was_learnt_is_read_as_it_was_written():
    learnt = LongRanking(np.array([1.0, -2.0]), 3.0)
    again = LongRanking.from_arrays(learnt.arrays())
    assert again.others == 3.0
    assert again.weights.tolist() == [1.0, -2.0]
