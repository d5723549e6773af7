"""A vocabulary: its file, its terms in a text, and which of them belong together."""

import pytest

from keyseq.errors import DataError, KeyseqError
from keyseq.extractive.thesaurus import Term, Thesaurus
from keyseq.text.analyzer import ENGLISH
from keyseq.text.presence import SourceText

FILE = """automobiles\tcars; motor cars\ttraffic; engines
traffic

engines\t\t
car parks
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "terms.tsv"
    file.write_text(FILE)
    return file


@pytest.fixture
def thesaurus(path):
    return Thesaurus.load(path)


def found(thesaurus, text):
    return {thesaurus.terms[number].name: places for number, places in thesaurus.find(SourceText(text)).items()}


def test_a_line_has_a_term_and_behind_tabs_other_labels_and_related_terms(thesaurus):
    assert thesaurus.terms == (
        Term("automobiles", ("cars", "motor cars"), (1, 2)),
        Term("traffic"),
        Term("engines"),
        Term("car parks"),
    )


def test_written_and_read_it_is_the_same(thesaurus, tmp_path):
    thesaurus.save(tmp_path / "again.tsv")
    assert Thesaurus.load(tmp_path / "again.tsv") == thesaurus


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A motor car in the traffic", {"automobiles": [1, 2], "traffic": [5]}),  # "motor car", and the "car" in it
        ("The automobile, the car", {"automobiles": [1, 4]}),
        ("Many car parks", {"automobiles": [1], "car parks": [1]}),
        ("A train of thought", {}),
    ],
)
def test_terms_are_found_by_the_stems_of_any_label(thesaurus, text, expected):
    assert found(thesaurus, text) == expected


def test_a_name_goes_before_the_label_of_another_term():
    thesaurus = Thesaurus((Term("vehicles", ("cars",)), Term("cars")))
    assert found(thesaurus, "a car") == {"cars": [1]}


def test_labels_of_the_same_stems_are_one():
    assert Thesaurus((Term("cars", ("car", "autos")),)).stems(0, ENGLISH) == [("car",), ("auto",)]


def test_the_degree_counts_related_terms_that_are_there_whichever_says_so(thesaurus):
    automobiles, traffic, engines, parks = range(4)
    assert thesaurus.degree(automobiles, [traffic, parks]) == 1
    assert thesaurus.degree(automobiles, [traffic, engines]) == 2
    assert thesaurus.degree(traffic, [automobiles]) == 1
    assert thesaurus.degree(parks, [automobiles, traffic]) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cars\t\tengins\nengines\n", "terms.tsv:1: related to 'engins', which is no term; did you mean 'engines'?"),
        ("a\tb\tc\td\n", "terms.tsv:1: must be a term, and after tabs at most other labels and related terms"),
        ("\tcars\n", "terms.tsv:1: must be a term"),
        ("\n\n", "holds no terms"),
    ],
)
def test_a_line_that_is_no_term_is_told_with_its_place(path, content, message):
    path.write_text(content)
    with pytest.raises(DataError) as error:
        Thesaurus.load(path)
    assert message in str(error.value)


def test_a_file_that_is_no_text_is_refused(path):
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(KeyseqError, match="UTF-8"):
        Thesaurus.load(path)
