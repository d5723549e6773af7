"""Documents and what becomes of bare strings."""

import pytest

from keyseq.types import Document, as_documents


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
