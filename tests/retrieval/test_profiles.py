"""Profiles applied to a document: TF-IDF, a sparse product, and which terms spoke for a label."""

import dataclasses
import math

import numpy as np
import pytest

from keyseq.retrieval.profiles import Profiles, ranges
from keyseq.retrieval.terms import DocumentTerms
from keyseq.text.hashing import phrase_hash, stem_hashes

# weights: label 0 has park 127 and tree -127 of a scale of 0.5, label 1 has park 0.2 (127 of a scale of 0.2)
PARK, TREE, BIRD = stem_hashes(["park", "tree", "bird"]).tolist()


@pytest.fixture
def profiles():
    by_term = {PARK: [(0, 127), (1, 127)], TREE: [(0, -127)]}
    terms = sorted(by_term)
    return Profiles(
        terms=np.array(terms, dtype=np.uint32),
        idf=np.array([{PARK: 1.0, TREE: 2.0}[term] for term in terms], dtype=np.float32),
        offsets=np.concatenate([[0], np.cumsum([len(by_term[term]) for term in terms])]).astype(np.uint32),
        labels=np.array([label for term in terms for label, _ in by_term[term]], dtype=np.uint16),
        weights=np.array([weight for term in terms for _, weight in by_term[term]], dtype=np.int8),
        scale=np.array([0.5, 0.2], dtype=np.float32) / np.float32(127),
        keys=np.array([phrase_hash(["green", "area"]), phrase_hash(["leisur"])], dtype=np.uint32),
        words=stem_hashes(["green", "area", "leisur"]),
        word_offsets=np.array([0, 2, 3], dtype=np.uint32),
    )


def document(counts):
    keys = sorted(counts)
    return DocumentTerms(np.array(keys, dtype=np.uint32), np.array([counts[key] for key in keys]))


def test_a_document_is_its_tf_idf_of_length_one_over_known_terms(profiles):
    places, values = profiles.vector(document({PARK: 1, TREE: 1, BIRD: 9}))
    found = dict(zip(profiles.terms[places].tolist(), values.tolist(), strict=True))
    assert found == {PARK: pytest.approx(1 / math.sqrt(5)), TREE: pytest.approx(2 / math.sqrt(5))}


def test_counts_weigh_by_their_logarithm(profiles):
    _, values = profiles.vector(document({PARK: 3, TREE: 1}))
    assert sorted(values / np.linalg.norm(values)) == pytest.approx(
        sorted(np.array([1 + math.log(3), 2]) / math.hypot(1 + math.log(3), 2)), rel=1e-6
    )


def test_a_score_is_the_product_of_the_document_and_the_weights(profiles):
    scores = profiles.scores(document({PARK: 1, TREE: 1}))
    assert scores.tolist() == pytest.approx([0.5 * (1 - 2) / math.sqrt(5), 0.2 / math.sqrt(5)], rel=1e-5)


def test_a_document_of_unknown_terms_scores_nothing(profiles):
    assert profiles.scores(document({BIRD: 1})).tolist() == [0, 0]
    assert profiles.scores(document({})).tolist() == [0, 0]


def test_only_terms_that_speak_for_a_label_are_named(profiles):
    given = document({PARK: 1, TREE: 1})
    assert profiles.contributions(given).speaking(0).tolist() == [PARK]  # the tree speaks against it
    assert profiles.contributions(document({TREE: 1})).speaking(1).tolist() == []


def test_labels_are_found_by_their_phrases(profiles):
    wanted = [phrase_hash(["leisur"]), PARK, phrase_hash(["green", "area"])]
    assert profiles.find(np.array(wanted, dtype=np.uint32)).tolist() == [1, -1, 0]


@pytest.mark.parametrize(
    ("words", "labels"),
    [
        (["area", "of", "green", "lawn"], [0]),
        (["area", "lawn"], []),  # one of its words is missing
        (["leisur"], []),  # a label of one word stands in the text as a run
        ([], []),
    ],
)
def test_labels_of_several_words_are_spelled_by_a_text_that_has_all_of_them(words, labels, profiles):
    assert profiles.spelled_by(np.sort(stem_hashes(words))).tolist() == labels


def test_a_word_with_the_last_bits_of_another_does_not_spell_a_label(profiles):
    green, area = stem_hashes(["green", "area"]).tolist()
    alike = np.array(sorted([green ^ (1 << 20), area]), dtype=np.uint32)
    assert profiles.spelled_by(alike).tolist() == []


def test_the_words_of_labels_are_laid_out_in_rows_of_one_width(profiles):
    green, area, leisure = stem_hashes(["green", "area", "leisur"]).tolist()
    assert profiles.words_of(np.array([1, 0]), 3).tolist() == [[leisure, 0, 0], [green, area, 0]]
    assert profiles.words_of(np.array([0]), 1).tolist() == [[green]]  # what is longer is cut
    assert profiles.words_of(np.array([], dtype=int), 2).shape == (0, 2)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("scale", lambda array: array[:1]),
        ("idf", lambda array: array[:1]),
        ("offsets", lambda array: array[::-1]),
        ("labels", lambda array: array + 2),
        ("weights", lambda array: array[:-1]),
        ("words", lambda array: array[:-1]),
        ("keys", lambda array: array[:1]),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(name, change, profiles):
    profiles.check(2)
    with pytest.raises(ValueError, match="do not fit together"):
        dataclasses.replace(profiles, **{name: change(getattr(profiles, name))}).check(2)


def test_profiles_for_another_number_of_labels_are_refused(profiles):
    with pytest.raises(ValueError, match="do not fit together"):
        profiles.check(3)


def test_ranges_are_laid_out_one_after_the_other():
    assert ranges(np.array([2, 7, 0]), np.array([4, 7, 1])).tolist() == [2, 3, 0]
    assert ranges(np.array([3]), np.array([3])).tolist() == []
    assert ranges(np.array([], dtype=int), np.array([], dtype=int)).tolist() == []
