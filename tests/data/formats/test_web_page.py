"""Web pages as sites make them: menus with headings of their own, and lines broken where the source is."""

import time

import pytest

from keyseq.data.formats import read_documents
from keyseq.data.formats.visible_text import VisibleText

TEXT = "Delivery robots share narrow\nsidewalks with people.\nThey <b>often </b>wait, as {} shows."


def read(tmp_path, head, body):
    (tmp_path / "a.html").write_text(f"<html><head>{head}</head><body>{body}</body></html>")
    [document] = read_documents(tmp_path / "a.html")
    return document


def article(heading=""):
    paragraphs = "".join(f"<p>{TEXT.format(f'study {number}')}</p>" for number in range(8))
    return f"<main>{heading}{paragraphs}<ul><li>first\nitem</li><li>second</li></ul></main>"


def test_a_line_break_of_the_source_is_none_of_the_text(tmp_path):
    body = read(tmp_path, "<title>Robots</title>", article()).body
    first, *_, item, last = body.split("\n\n")
    assert first == "Delivery robots share narrow sidewalks with people. They often wait, as study 0 shows."
    assert (item, last) == ("first item", "second")


def test_a_heading_that_is_no_title_of_the_page_is_none(tmp_path):
    menu = "<div class='popup'><h1>Keyboard shortcuts</h1></div>"
    head = "<title>What are robots? - The robot book</title>"
    assert read(tmp_path, head, menu + article("<h1>What are robots?</h1>")).title == "What are robots?"


def test_a_heading_that_the_title_has_after_the_name_of_the_site_is_the_title(tmp_path):
    head = "<title>The robot book – What are robots?</title>"
    assert read(tmp_path, head, article("<h1>What are robots?</h1>")).title == "What are robots?"


@pytest.mark.parametrize(
    "marks", ['<a href="', "<!--", "<a ", "<![CDATA[", "</", "<script>", '<a href=">', "<a b='>\""]
)
def test_tags_without_end_take_time_that_grows_with_the_page(marks):
    start = time.process_time()
    VisibleText.of(f"<p>Robots.</p>{marks * 40_000}>")
    VisibleText.of(f"{'<nav>' * 40_000}{'</svg>' * 40_000}")
    assert time.process_time() - start < 5  # it would be minutes


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ('<p>One <a href="x>two</a><p>three', ['One <a href="x>two', "three"]),
        ("<p>One &amp; two <b", ["One & two <b"]),
        ("<p>One<script>hidden <p>two", ["One"]),
        ("<nav>a<nav>b</nav><p>One", ["One"]),
    ],
)
def test_what_has_no_end_is_read_as_far_as_it_goes(page, shown):
    assert VisibleText.of(page).paragraphs == shown
