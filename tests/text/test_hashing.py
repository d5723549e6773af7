"""Stems and phrases as numbers: the same however they are computed."""

import zlib

import numpy as np

from keyseq.text.hashing import (
    BREAK,
    MULTIPLIER,
    distinct,
    find,
    laid_out,
    phrase_hash,
    phrase_hashes,
    run_hashes,
    stem_hashes,
)


def test_a_single_stem_has_the_same_number_as_the_phrase_of_it():
    assert stem_hashes(["solar"]).tolist() == [phrase_hash(["solar"])] == [zlib.crc32(b"solar")]


def test_a_phrase_is_the_polynomial_of_its_words():
    a, b, c = stem_hashes(["a", "b", "c"]).tolist()
    assert phrase_hash(["a", "b", "c"]) == (a * MULTIPLIER**2 + b * MULTIPLIER + c) % 2**32


def test_the_order_of_words_counts():
    assert phrase_hash(["state", "solid"]) != phrase_hash(["solid", "state"])


def test_marks_stand_for_a_break_and_no_word_does():
    assert stem_hashes([".", ",", "c++", "3"]).tolist()[:2] == [BREAK, BREAK]
    assert BREAK not in stem_hashes(["c++", "3", "été"])


def test_runs_have_the_numbers_of_their_phrases():
    words = ["a", "b", "c", "d"]
    runs = run_hashes(stem_hashes(words), 3)
    assert runs.tolist() == [phrase_hash(words[:3]), phrase_hash(words[1:])]


def test_phrases_in_rows_have_the_numbers_that_they_have_alone():
    phrases = [["solar"], ["wind", ".", "power"], ["a", "b", "c", "d"]]
    words = stem_hashes(word for phrase in phrases for word in phrase)
    lengths = np.array([len(phrase) for phrase in phrases])
    rows = laid_out(words, np.array([0, 1, 4]), lengths, 4)
    assert rows[0].tolist() == [phrase_hash(["solar"]), 0, 0, 0]
    assert phrase_hashes(rows, lengths).tolist() == [phrase_hash(phrase) for phrase in phrases]


def test_rows_are_cut_at_their_width_and_may_be_none():
    words = stem_hashes(["a", "b", "c"])
    assert laid_out(words, np.array([0]), np.array([3]), 2).tolist() == [words[:2].tolist()]
    assert laid_out(words[:0], np.zeros(0, dtype=int), np.zeros(0, dtype=int), 2).shape == (0, 2)


def test_a_text_shorter_than_the_run_has_none():
    assert run_hashes(stem_hashes(["a"]), 2).tolist() == []
    assert run_hashes(stem_hashes([]), 1).tolist() == []


def test_numbers_are_not_changed_by_reading_runs_off_them():
    hashes = stem_hashes(["a", "b"])
    before = hashes.tolist()
    run_hashes(hashes, 2)
    assert hashes.tolist() == before


def test_a_number_is_found_where_it_is_and_nowhere_else():
    keys = np.array([3, 5, 9], dtype=np.uint32)
    assert find(keys, np.array([9, 4, 3, 10, 0], dtype=np.uint32)).tolist() == [2, -1, 0, -1, -1]
    assert find(keys[:0], keys).tolist() == [-1, -1, -1]


def test_different_numbers_are_sorted_and_keep_their_kind():
    for kind in (np.uint32, np.int64):
        found = distinct(np.array([7, 3, 7, 1, 3], dtype=kind))
        assert found.tolist() == [1, 3, 7]
        assert found.dtype == kind
