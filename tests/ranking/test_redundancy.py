"""What the best candidates are to each other, by hand."""

import numpy as np
import pytest
from tests.ranking.handmade import key

from keyseq.ranking.pool import Sketch
from keyseq.ranking.redundancy import MOST, NONE, RELATIONS, Shortlist, fragments, relations
from keyseq.text.hashing import stem_hashes
from keyseq.text.presence import phrase_stems

PHRASES = ["black", "black holes", "holes", "old stars"]
LOGITS = np.array([1.0, 2.0, -1.0, 0.0])  # by rank: black holes, black, old stars, holes


def sketch(phrases=PHRASES, within=(1, 0, 0.5, 0), times=None):
    words = np.zeros((len(phrases), 6), dtype=np.uint32)
    for row, phrase in zip(words, phrases, strict=True):
        own = stem_hashes(phrase_stems(phrase))
        row[: len(own)] = own
    flags = np.zeros(len(phrases), dtype=bool)
    keys = np.array(list(map(key, phrases)), dtype=np.uint32)
    counts = np.array(times or [0] * len(phrases), dtype=float)
    return Sketch(keys, words, ~flags, flags, flags, np.array(within, dtype=float), counts)


def column(name):
    return relations(Shortlist(sketch(), LOGITS))[:, list(RELATIONS).index(name)].tolist()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("logit", [2, 1, 0, -1]),
        ("rank", [0, 1, 2, 3]),
        ("best_containing", [NONE, 2, NONE, 2]),
        ("best_contained", [1, NONE, NONE, NONE]),
        ("best_sharing", [1, 2, NONE, 2]),
        ("better_sharing", [0, 1, 0, 1]),
        ("above_mean", [1.5, 0.5, -0.5, -1.5]),
        ("words", [2, 1, 2, 1]),
        ("in_text", [1, 1, 1, 1]),
        ("is_label", [0, 0, 0, 0]),
        ("generated", [0, 0, 0, 0]),
        ("part_of_longer", [0, 1, 0, 0.5]),
    ],
)
def test_a_relation_has_the_value_worked_out_by_hand(name, values):
    assert column(name) == pytest.approx(values)


def test_a_fragment_is_what_the_text_has_only_inside_a_better_phrase():
    shortlist = Shortlist(sketch(), LOGITS)
    # "black" stands only in "black holes"; "holes" alone in half of its places
    assert fragments(shortlist, np.array([2.0, 1.0, 0.0, -1.0])).tolist() == [False, True, False, False]
    assert fragments(shortlist, np.array([0.5, 1.0, 0.0, -1.0])).tolist() == [False, False, False, False]


def test_without_a_tagger_a_fragment_is_also_what_the_text_has_as_often_as_a_better_phrase_around_it():
    shortlist = Shortlist(
        sketch(["secco", "muretti a secco", "muretti"], (0, 0, 0), (2, 2, 3)), np.array([2.0, 3.0, 1.0])
    )
    assert [int(number) for number in shortlist.numbers] == [1, 0, 2]
    assert fragments(shortlist, np.array([3.0, 2.0, 1.0])).tolist() == [False, True, False]
    assert fragments(shortlist, np.array([1.0, 2.0, 3.0])).tolist() == [False, False, False]


def test_only_the_best_are_looked_at():
    many = [f"word{number}x" for number in range(MOST + 5)]
    shortlist = Shortlist(sketch(many, [0] * len(many)), np.arange(len(many)))
    assert (len(shortlist.numbers), shortlist.numbers[0]) == (MOST, MOST + 4)


def test_no_candidates_have_no_relations():
    assert relations(Shortlist(sketch([], []), np.zeros(0))).shape == (0, len(RELATIONS))
