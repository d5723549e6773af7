"""Two small sets of profiles as one, and some labels of one alone: the scores by hand."""

import numpy as np
import pytest
from tests.ranking.handmade import key, profiles

from keyseq.retrieval.profile_joining import LabelledProfiles, joined
from keyseq.retrieval.terms import DocumentTerms

OWN = LabelledProfiles(
    profiles({"sun": (1.0, {"energy": 1.0}), "moon": (2.0, {"tides": 1.0})}, ("energy", "tides")), ["energy", "tides"]
)
OTHER = LabelledProfiles(
    profiles(
        {"sun": (2.0, {"energy": 0.5, "astronomy": 1.0}), "star": (1.0, {"astronomy": 1.0})}, ("energy", "astronomy")
    ),
    ["energy", "astronomy"],
)


def scores(found, *words):
    """The scores of a text that has each of these words once, by label."""
    hashes = np.array(sorted(map(key, words)), dtype=np.uint32)
    terms = DocumentTerms(hashes, np.ones(len(words), dtype=np.int64))
    return dict(zip(found.labels, found.profiles.scores(terms).tolist(), strict=True))


def test_labels_of_both_are_there_once_those_of_the_first_in_front():
    assert joined(OWN, OTHER, 1.0).labels == ["energy", "tides", "astronomy"]


def test_terms_are_weighed_as_in_the_first_and_scores_stay_in_proportion():
    both = joined(OWN, OTHER, 1.0)
    size = 1.0 / ((2 * 0.5 + np.sqrt(2**2 + 1)) / 2)  # of the other's weights: those of "sun" count twice there
    found = scores(both, "sun")
    assert found["energy"] == pytest.approx(1 + size * 2 * 0.5, rel=0.02)
    assert found["astronomy"] == pytest.approx(size * 2, rel=0.02)
    assert found["tides"] == 0


def test_a_weight_reduces_the_other_alone():
    whole, less = (scores(joined(OWN, OTHER, weight), "sun") for weight in (1.0, 0.1))
    assert less["astronomy"] == pytest.approx(0.1 * whole["astronomy"], rel=0.02)
    assert scores(joined(OWN, OTHER, 0.1), "moon")["tides"] == pytest.approx(1, rel=0.02)


def test_what_is_joined_is_sound_and_knows_the_words_of_its_labels():
    both = joined(OWN, OTHER, 0.5)
    both.profiles.check(3)
    assert both.profiles.keys.tolist() == [key(label) for label in both.labels]
    assert both.profiles.words.tolist() == [key(label) for label in both.labels]  # of one word each


def test_some_labels_keep_their_scores():
    some = OTHER.of(np.array([1]))
    some.profiles.check(1)
    assert some.labels == ["astronomy"]
    assert scores(some, "star")["astronomy"] == pytest.approx(scores(OTHER, "star")["astronomy"], rel=0.02)


def test_no_label_at_all_is_sound_too():
    none = OTHER.of(np.zeros(0, dtype=np.int64))
    none.profiles.check(0)
    assert joined(OWN, none, 1.0).labels == OWN.labels
