"""What users said of phrases, recalled for similar texts; expected values by hand."""

import numpy as np
import pytest

from keyseq.retrieval.corrections import ALIEN, PRIOR, Corrections, TermVector, unrelated

BREAD, ROBOTS = np.array([10, 20], dtype=np.uint32), np.array([30, 40], dtype=np.uint32)  # terms of two topics
GOOD, BAD, OTHER = 100, 200, 300  # numbers of phrases


def vector(terms, share=1.0):
    """A text of which a part has these terms."""
    size = share / np.sqrt(len(terms))
    return TermVector(terms, np.full(len(terms), size, dtype=np.float32))


def corrections(verdicts, topic=BREAD, alien=0.1):
    """Verdicts as (phrase, accepted, logit), each on a document of its own, all on one topic."""
    count = len(verdicts)
    keys = np.array(sorted({key for key, _, _ in verdicts}), dtype=np.uint32)
    return Corrections(
        terms=topic,
        offsets=np.array([0, count, 2 * count], dtype=np.uint32),
        documents=np.tile(np.arange(count, dtype=np.uint32), 2),
        values=np.full(2 * count, 1 / np.sqrt(2), dtype=np.float32),
        digests=np.arange(count),
        keys=keys,
        words=keys,
        word_offsets=np.arange(len(keys) + 1, dtype=np.uint32),
        owners=np.arange(count, dtype=np.uint32),
        phrases=np.searchsorted(keys, [key for key, _, _ in verdicts]).astype(np.uint32),
        accepted=np.array([accepted for _, accepted, _ in verdicts], dtype=np.uint8),
        logits=np.array([logit for _, _, logit in verdicts], dtype=np.float32),
        alien=np.array([alien], dtype=np.float32),
        texts=[str(key) for key in keys],
    )


def chances(known, text, keys, before):
    return known.recall(text).corrected(np.array(keys, dtype=np.uint32), np.array(before))


def test_the_shift_is_the_intercept_of_a_logistic_regression():
    recalled = corrections([(BAD, 0, 2.0)] * 10).recall(vector(BREAD))
    [shift] = recalled.shifts(np.array([BAD], dtype=np.uint32))
    assert 10 * (0 - 1 / (1 + np.exp(-(2 + shift)))) - PRIOR * shift == pytest.approx(0, abs=1e-6)
    assert shift < -3


def test_what_was_rejected_ten_times_is_unlikely_in_such_texts_and_hardly_less_likely_elsewhere():
    known = corrections([(BAD, 0, 1.5)] * 10)
    [there, untouched] = chances(known, vector(BREAD), [BAD, OTHER], [0.8, 0.8])
    [elsewhere] = chances(known, vector(ROBOTS), [BAD], [0.8])
    assert there == 0  # not to be given at all
    assert known.recall(vector(BREAD)).rejected.tolist() == [BAD]
    assert 0.2 < chances(corrections([(BAD, 0, 1.5)] * 2), vector(BREAD), [BAD], [0.8])[0] < 0.6  # twice is not enough
    assert not len(known.recall(vector(ROBOTS)).rejected)
    assert untouched == 0.8
    assert 0.3 < elsewhere < 0.8


def test_what_was_accepted_is_a_candidate_for_such_texts_alone():
    known = corrections([(GOOD, 1, -5.0)] * 3)
    assert known.recall(vector(BREAD)).candidates.tolist() == [GOOD]
    assert known.recall(vector(ROBOTS)).candidates.tolist() == []
    assert known.recall(vector(BREAD, share=0.1)).candidates.tolist() == []  # no more similar than any two texts
    assert chances(known, vector(BREAD), [GOOD], [0.0])[0] == pytest.approx(0.5, abs=0.01)
    assert chances(known, vector(ROBOTS), [GOOD], [0.01])[0] == pytest.approx(0.01, abs=1e-3)


def test_one_verdict_is_not_enough_to_propose_a_phrase():
    assert not len(corrections([(GOOD, 1, -5.0)]).recall(vector(BREAD)).candidates)


def test_verdicts_that_agree_with_the_ranker_change_little():
    known = corrections([(GOOD, 1, 4.0)] * 5 + [(BAD, 0, -4.0)] * 2)
    assert chances(known, vector(BREAD), [GOOD, BAD], [0.9, 0.1]) == pytest.approx([0.9, 0.1], abs=0.03)


def test_contradicting_verdicts_cancel_each_other():
    known = corrections([(GOOD, 1, 0.0), (GOOD, 0, 0.0)] * 5)
    assert chances(known, vector(BREAD), [GOOD], [0.5])[0] == pytest.approx(0.5)
    assert not len(known.recall(vector(BREAD)).candidates)


def test_unrelated_texts_are_as_similar_as_one_pair_in_twenty():
    vectors = [vector(BREAD)] * 3 + [vector(np.array([n, n + 1], dtype=np.uint32)) for n in range(100, 180, 2)]
    assert unrelated(vectors) == pytest.approx(ALIEN / 10)  # almost no pair has a term in common
    assert unrelated([vector(BREAD)] * 30) == pytest.approx(1)  # all texts have so much in common
    assert unrelated([vector(BREAD)] * 20 + [vector(ROBOTS)] * 20) == pytest.approx(0.1)  # two topics
    assert unrelated(vectors[:5]) == ALIEN  # too few to tell


def test_damaged_corrections_are_refused():
    good = corrections([(GOOD, 1, 0.0)])
    assert Corrections.from_arrays(good.arrays(), good.texts).texts == good.texts
    for name in ("owners", "offsets", "logits", "alien"):
        arrays = good.arrays()
        arrays[name] = arrays[name][:-1]
        with pytest.raises(ValueError, match="do not fit together"):
            Corrections.from_arrays(arrays, good.texts)
