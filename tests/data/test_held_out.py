import pytest

from keyseq.data.held_out import FEWEST, LEAST, MOST, divide
from keyseq.data.overlap import Overlap
from keyseq.errors import DataError
from keyseq.types import Document


def corpus(count, keyphrases=("nets",)):
    return [Document(id=str(number), body=f"text {number}", keyphrases=keyphrases) for number in range(count)]


@pytest.mark.parametrize(("count", "size"), [(LEAST, FEWEST), (1000, 100), (20_000, MOST)])
def test_a_tenth_is_held_out_within_bounds(count, size):
    division = divide(lambda: corpus(count), "corpus")
    assert (len(division.held_out), division.others) == (size, count - size)


def test_the_same_documents_are_held_out_whatever_their_order():
    documents = corpus(300)
    first, second = divide(lambda: documents, "corpus"), divide(lambda: reversed(documents), "corpus")
    assert first.held_out == second.held_out
    assert [one.id for one in first.held_out] != [one.id for one in documents[:30]]


def test_documents_without_keyphrases_are_never_held_out():
    division = divide(lambda: [*corpus(100), *corpus(200, ())], "corpus")
    assert all(document.keyphrases for document in division.held_out)
    assert division.others == 80


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (corpus(LEAST - 1), f"^corpus: only {LEAST - 1} documents have keyphrases.*at least {LEAST} are needed"),
        (corpus(100, ()), "^corpus: no document has keyphrases"),
        ([], "^corpus: no document has keyphrases"),
    ],
)
def test_a_corpus_that_cannot_be_divided_is_refused(documents, message):
    with pytest.raises(DataError, match=message):
        divide(lambda: documents, "corpus")


def test_a_held_out_document_is_recognised_even_if_it_is_a_short_title_alone():
    held = Document(id="1", title="Robots", keyphrases=("robots",))
    assert held in Overlap([held])
    assert Document(id="2", title="Robots", body="Another text.") not in Overlap([held])
