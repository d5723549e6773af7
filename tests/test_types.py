"""Documents and what becomes of bare strings."""

from dataclasses import replace

import pandas
import pytest

from keyseq.errors import KeyseqError
from keyseq.types import Document, Evidence, Phrase, as_documents


@pytest.mark.parametrize(
    ("title", "body", "text"),
    [("A title", "A body.", "A title . A body."), ("", "A body.", "A body."), ("A title", "", "A title"), ("", "", "")],
)
def test_the_source_text_joins_title_and_body_as_published(title, body, text):
    assert Document(id="1", title=title, body=body).text == text


def test_bare_strings_become_numbered_documents():
    given = Document(id="x", body="kept")
    assert as_documents(["first", given]) == [Document(id="1", body="first"), given]


def test_a_single_string_is_refused_since_its_characters_are_no_documents():
    with pytest.raises(TypeError, match=r"predict\(\[text\]\)"):
        as_documents("a text")


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (None, "None"),
        (float("nan"), "NaN"),
        (pandas.NA, "NA"),
        ({"text": "a"}, "a dict"),
        (b"text", "bytes"),
        (7, "an int"),
        (True, "True"),
    ],
)
def test_finding_22_a_value_that_is_no_text_is_one_sentence_with_its_index(value, named):
    with pytest.raises(KeyseqError) as raised:
        as_documents(["a text", value])
    assert str(raised.value) == (
        f"document 1 (counted from 0) is {named}, not a text; leave it out, or replace it by an empty text"
    )
    assert isinstance(raised.value, TypeError), "what callers that expect Python's own error catch"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (None, "None"),
        (b"text", "bytes"),
        ({"id": "text"}, "a dict"),
        (pandas.DataFrame({"abstract": ["a text"]}), "a DataFrame"),  # which Python reads as the names of its columns
    ],
)
def test_what_is_no_list_of_texts_is_refused_too(given, named):
    with pytest.raises(KeyseqError, match=f"texts are given as a list, not as {named}"):
        as_documents(given)


def test_a_document_whose_body_is_missing_in_a_table_is_named_too():
    with pytest.raises(KeyseqError, match="the body of document 0"):
        as_documents([Document(id="1", title="a", body=float("nan"))])


def test_reprs_are_short_enough_for_a_list():
    evidence = Evidence(sources=("text",), occurrences=2)
    phrase = Phrase(text="social robot", score=0.8123, present=True, spans=((0, 12),), evidence=evidence)
    assert repr(phrase) == "Phrase('social robot', 0.81)"
    assert repr(replace(phrase, present=False)) == "Phrase('social robot', 0.81, absent)"
    assert repr(evidence) == "Evidence(sources=('text',), occurrences=2)"
    long = Document(id="7", body="word " * 1000, keyphrases=("a", "b"))
    assert repr(long).startswith("Document('7', 'word word")
    assert repr(long).endswith("…', 2 keyphrases)")
    assert len(repr(long)) < 100
    assert repr(Document(id="7", body=None, keyphrases=("a",))) == "Document('7', 'None', 1 keyphrase)"


def test_finding_22_keyphrases_that_are_one_text_are_refused_as_its_letters_are_none():
    with pytest.raises(KeyseqError, match="7: keyphrases are a list of texts, not one text; split it first"):
        Document(id="7", keyphrases="robots; cars")
