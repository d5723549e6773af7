"""The columns of the paper's two tables of datasets."""

import pytest

from keyseq.data.statistics import HEADERS, measure
from keyseq.text.analyzer import ENGLISH
from keyseq.types import Document


def document(text, *keyphrases):
    return Document(id="x", title="A title", body=text, keyphrases=keyphrases)


THREE = [
    document("Graphs and networks of networks", "graph", "network", "social media"),  # two present, one absent
    document("Trees", "tree"),
    document("Deep learning of nothing", "learning deep", "learn deeply", "dee"),  # order and whole words count
]


def test_counts_made_by_hand():
    found = measure(THREE)
    assert (found.documents, found.keyphrases) == (3, 7)
    assert (found.documents_with_present, found.present_keyphrases) == (2, 3)
    assert (found.documents_with_absent, found.absent_keyphrases) == (2, 4)
    assert found.sizes == {1: 1, 3: 2}
    assert found.mean == pytest.approx(7 / 3)
    assert found.variance == pytest.approx(((3 - 7 / 3) ** 2 * 2 + (1 - 7 / 3) ** 2) / 3)  # by N, not by N − 1
    assert found.percent_present == pytest.approx(100 * 3 / 7)


def test_a_row_has_a_cell_for_each_header_with_the_digits_of_the_paper():
    row = measure(THREE).row("three")
    assert len(row) == len(HEADERS)
    assert row == ["three", 3, 7, "2.3", "0.9", "42.9", 2, 3, 2, 4]


@pytest.mark.parametrize(
    ("text", "keyphrase", "present"),
    [
        ("support vector machines", "Support Vector Machine (SVM)", 1),  # brackets left out, stems compared
        ("the years 1984 and 2001", "2010", 1),  # numbers are all alike
        ("nothing", "titles", 1),  # the title is part of the text
        ("nothing", "title nothing", 0),  # but the full stop after it is a word between
        ("nothing", "(SVM)", 1),  # nothing is left of it: present, as in the published counts
        ("nothing", "", 1),
        ("nothing", "thing", 0),  # a piece of a word is not the word
    ],
)
def test_presence_is_by_whole_stemmed_words_of_title_and_text(text, keyphrase, present):
    found = measure([document(text, keyphrase)])
    assert (found.present_keyphrases, found.absent_keyphrases) == (present, 1 - present)


def test_the_tokenizer_decides_what_a_word_is():
    greek = [document("Οι γλώσσες", "γλώσσες", "δέντρα")]
    assert measure(greek).absent_keyphrases == 0  # ASCII words only: nothing is left of either
    assert measure(greek, ENGLISH.with_tokenizer("unicode")).absent_keyphrases == 1


def test_documents_whose_keyphrases_are_not_known_do_not_lower_the_mean():
    unknown = Document(id="x", body="text")
    found = measure([*THREE, unknown, document("none was given")])
    assert (found.documents, found.unlabelled) == (5, 1)
    assert found.sizes == {0: 1, 1: 1, 3: 2}
    assert found.mean == pytest.approx(7 / 4)


def test_an_empty_corpus_has_no_mean_rather_than_an_error():
    assert measure([]).row("empty") == ["empty", 0, 0, None, None, None, 0, 0, 0, 0]


def test_json_has_every_number_unrounded():
    found = measure(THREE).as_dict()
    assert found["variance"] == pytest.approx(8 / 9)
    assert found["sizes"] == {1: 1, 3: 2}
    assert {"documents", "keyphrases", "mean", "percent_present", "documents_with_absent"} <= set(found)
