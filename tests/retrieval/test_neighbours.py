"""Nearest documents by hand: shared stems over all stems."""

import numpy as np
import pytest
from tests.retrieval.corpus import stored

from keyseq.arrays import map_arrays, write_arrays
from keyseq.retrieval.neighbours import Neighbour, Neighbours, RetrievedPhrase, fit_neighbours
from keyseq.retrieval.terms import words_of
from keyseq.types import Document

# the stems without stop words: a {green, park, larg, citi}, b {larg, citi, grow}, c {bird, nest, green, park}


@pytest.fixture
def index(tmp_path):
    return fit_neighbours(stored(tmp_path))


def query(text):
    return words_of(Document(id="q", body=text))


def test_similarity_is_the_share_of_the_stems_of_both_that_both_have(index):
    # {park, tree, bird}: with a 1 of 6, with c 2 of 5, with b nothing
    found = index.nearest(query("The park, the trees and the birds"))
    assert found == [Neighbour(2, pytest.approx(2 / 5)), Neighbour(0, pytest.approx(1 / 6))]


def test_words_said_twice_count_once(index):
    assert index.nearest(query("large large cities of cities")) == index.nearest(query("large city"))


def test_the_same_text_is_wholly_similar(index):
    assert index.nearest(query("Large cities grow"), 1) == [Neighbour(1, 1.0)]


def test_a_document_of_training_and_its_near_copies_can_be_left_out_of_its_own_neighbours(index, tmp_path):
    # b with a: 2 of 5; with c nothing
    own = stored(tmp_path).document(1)
    assert index.nearest(own) == [Neighbour(1, 1.0), Neighbour(0, pytest.approx(2 / 5))]
    assert index.nearest(own, 1, copies=False) == [Neighbour(0, pytest.approx(2 / 5))]
    copy = query("Large cities grow. Cities grow large, and nest")  # 3 of 4 with b
    assert [one.document for one in index.nearest(copy, 1)] == [1]
    assert [one.document for one in index.nearest(copy, 1, copies=False)] == [0]


def test_of_equally_similar_documents_the_first_are_taken(index):
    # {green, park}: 2 of 4 with a and with c
    assert index.nearest(query("green parks"), 1) == [Neighbour(0, 0.5)]
    assert [one.document for one in index.nearest(query("green parks"), 2)] == [0, 2]


@pytest.mark.parametrize("text", ["", "of the", "quantum chemistry"])
def test_a_text_that_shares_nothing_has_no_neighbours(text, index):
    assert index.nearest(query(text)) == []


def test_keyphrases_come_with_the_similarity_of_the_nearest_document_that_has_them(index):
    # "cities" is a keyphrase of both a and b, "green parks" is written as most documents have it
    found = index.keyphrases([Neighbour(1, 0.25), Neighbour(0, 0.5)])
    assert found == [
        RetrievedPhrase("green parks", 0.5),
        RetrievedPhrase("cities", 0.5),
        RetrievedPhrase("urban growth", 0.25),
    ]


def test_keyphrases_of_any_script_come_back(tmp_path):
    store = stored(tmp_path, [Document(id="a", body="été", keyphrases=("L’été", "naïveté"))])
    assert [one.text for one in fit_neighbours(store).keyphrases([Neighbour(0, 1.0)])] == ["L’été", "naïveté"]


def test_an_index_is_kept_as_arrays(index, tmp_path):
    write_arrays(tmp_path / "index", index.arrays())
    again = Neighbours.from_arrays(map_arrays(tmp_path / "index"))
    assert again.nearest(query("green parks")) == index.nearest(query("green parks"))
    assert again.keyphrases([Neighbour(2, 1.0)]) == index.keyphrases([Neighbour(2, 1.0)])


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("stems", lambda array: array[:-1]),
        ("documents", lambda array: array + 3),
        ("documents", lambda array: array[:-1]),
        ("sizes", lambda array: array[:-1]),
        ("given", lambda array: array + 4),
        ("given_offsets", lambda array: array[::-1]),
        ("text_offsets", lambda array: array + 1),
        ("texts", lambda array: array[:-1]),
        ("offsets", lambda array: np.zeros(0, dtype=np.int64) * array[:0]),
    ],
)
def test_a_damaged_index_is_refused(name, change, index):
    arrays = index.arrays()
    with pytest.raises(ValueError, match="do not fit together"):
        Neighbours.from_arrays(arrays | {name: change(arrays[name])})


def test_an_index_without_one_of_its_arrays_is_refused(index):
    arrays = index.arrays()
    del arrays["sizes"]
    with pytest.raises(KeyError):
        Neighbours.from_arrays(arrays)
