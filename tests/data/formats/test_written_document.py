"""What a word processor's paragraphs are, where only their order and their words tell."""

import pytest

from keyseq.data.formats.written_document import Paragraph, Properties, Style, to_document

NAMES = [Paragraph(Style.TEXT, "Ada Author, Bea Writer"), Paragraph(Style.TEXT, "University of Somewhere, a@b.org")]
TITLE = Paragraph(Style.TITLE, "Robots on sidewalks")
REST = Paragraph(Style.TEXT, "Robots drive.")


def body(*paragraphs):
    return to_document("1", paragraphs, Properties()).body


@pytest.mark.parametrize("style", [Style.TEXT, Style.HEADING])
def test_names_and_addresses_before_the_abstract_are_left_out(style):
    assert body(TITLE, *NAMES, Paragraph(style, "Abstract"), REST) == "Robots drive."


def test_the_abstract_may_stand_in_the_paragraph_that_names_it():
    assert body(TITLE, *NAMES, Paragraph(Style.TEXT, "Abstract: We study robots."), REST) == (
        "We study robots.\n\nRobots drive."
    )


@pytest.mark.parametrize(
    "before",
    [
        Paragraph(Style.TEXT, "Robots are tested in three cities."),
        Paragraph(Style.HEADING, "Cities"),
        Paragraph(Style.TEXT, "robots " * 40),
    ],
)
def test_nothing_is_left_out_before_a_summary_that_follows_text(before):
    shown = body(TITLE, before, Paragraph(Style.HEADING, "Summary"), REST)
    assert shown.startswith(before.text)
    assert "Summary" in shown


def test_without_a_title_the_first_paragraph_may_be_one_and_stays():
    assert body(*NAMES, Paragraph(Style.HEADING, "Abstract"), REST).startswith("Ada Author")
