"""Phrases as a server answers with them."""

import pytest

from keyseq.serving.answers import Answering
from keyseq.text.selection import Selection
from keyseq.types import Document, Evidence, Phrase

DOCUMENT = Document(id="1", body="body of it")
PHRASE = Phrase(
    text="x",
    score=0.4,
    present=False,
    evidence=Evidence(sources=("network",), share=0.5, system="general", language="en"),
)


@pytest.mark.parametrize(
    ("title", "span", "spans", "title_spans"),
    [
        ("", (2, 5), [(2, 5)], []),
        ("Title", (0, 5), [], [(0, 5)]),
        ("Title", (8, 12), [(0, 4)], []),  # behind "Title . "
        ("Title", (3, 10), [], []),  # from the one into the other: nowhere
    ],
)
def test_spans_are_told_apart_by_title_and_text(title, span, spans, title_spans):
    document = Document(id="1", title=title, body="body of it")
    phrase = Phrase(text="x", score=1.0, present=True, spans=(span,))
    [given] = Answering("textrank", Selection(), explain=False).document(document, [phrase]).keyphrases
    assert (given.spans, given.title_spans) == (spans, title_spans)


def test_the_chosen_system_is_named_even_if_no_phrase_is_good_enough_to_be_given():
    answer = Answering("auto", Selection(min_score=0.5), explain=True).document(DOCUMENT, [PHRASE])
    assert answer.model_dump(exclude_unset=True) == {"id": "1", "system": "general", "language": "en", "keyphrases": []}


def test_a_system_that_gave_the_phrases_itself_is_not_named_again():
    answer = Answering("general", Selection(), explain=False).document(DOCUMENT, [PHRASE])
    assert set(answer.model_dump(exclude_unset=True)) == {"id", "language", "keyphrases"}
    assert "evidence" not in answer.model_dump(exclude_unset=True)["keyphrases"][0]
