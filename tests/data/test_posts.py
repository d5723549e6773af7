"""Rows of Posts.xml to documents, and what is refused."""

import time
import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from dump import posts, question, row
from hypothesis import given
from hypothesis import strategies as st

from keyseq.data.posts import LONGEST_POST, html_text, read_questions, tag_phrases
from keyseq.errors import DataError

PLACE = Path("cs/Posts.xml")


def read(xml, chunk=64):
    data = xml.encode() if isinstance(xml, str) else xml
    counts = Counter()
    pieces = (data[start : start + chunk] for start in range(0, len(data), chunk))
    return list(read_questions(pieces, "cs", PLACE, counts)), counts


def test_a_question_becomes_a_document_named_after_its_site():
    [document], _ = read(posts(question(7, "<p>Why &amp; how?</p>", "Stack  &  heap", "<memory><event-handling>")))
    assert document.id == "cs-7"
    assert document.title == "Stack & heap"
    assert document.body == "Why & how?"
    assert document.keyphrases == ("memory", "event handling")


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("<java><event-handling>", ("java", "event handling")),  # as dumps wrote them until 2023
        ("|java|event-handling|", ("java", "event handling")),  # as they do since
        ("<c++><c#><.net><node.js>", ("c++", "c#", ".net", "node.js")),  # marks that are part of a name stay
        ("<python-3.x><2-sat>", ("python 3.x", "2 sat")),
        ("<--><->", ()),  # nothing is left of them
        ("<a-b><a--b>", ("a b",)),  # the same phrase twice is one
        ("", ()),
    ],
)
def test_tags_are_written_as_phrases(tags, expected):
    assert tag_phrases(tags) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one</p><p>two</p>", "one two"),  # blocks part words even if no space does
        ("one<br>two<hr/>three", "one two three"),
        ("<ul><li>a</li><li>b</li></ul><table><tr><td>c</td><td>d</td></tr></table>", "a b c d"),
        ("<em>un</em>believable <code>foo</code>s", "unbelievable foos"),  # emphasis parts nothing
        ("<pre><code>if (a &lt; b) {\n    go();\n}</code></pre>", "if (a < b) { go(); }"),  # code is kept
        ("caf&eacute; &#8594; &#x1F600; &bogus; AT&T", "café → 😀 &bogus; AT&T"),
        ("a<!-- not shown -->b<?php x ?>c", "abc"),
        ("x<script>alert(1)</script><style>p {}</style>y", "x y"),
        ('<a href="http://x">link</a> <img alt="picture">', "link"),
        ("<p>never <b>closed", "never closed"),
        ("</p></div>stray ends", "stray ends"),
        ("a < b and b > c", "a < b and b > c"),
        ("<?xml version='1.0' encoding='utf-16'?><meta charset='utf-16'>漢字", "漢字"),  # its claims do not matter
        ("a\x00b", "a\ufffdb"),
        ("", ""),
        ("<p>&nbsp;\n</p>", ""),
    ],
)
def test_markup_is_removed_and_text_kept(html, expected):
    assert html_text(html) == expected


def test_text_is_kept_however_deep_it_is_nested():
    # a tree of lxml's silently drops everything below a depth of 256
    assert html_text("<div>" * 20_000 + "deep" + "</div>" * 20_000 + "after") == "deep after"


def test_html_that_is_slow_to_mend_takes_no_more_than_seconds():
    started = time.monotonic()
    html_text(("<div>" * 20_000 + "</span>" * 20_000) * 100)  # each end is looked for among all beginnings
    assert time.monotonic() - started < 20


def test_the_text_of_a_body_does_not_leak_into_the_next():
    assert html_text("<script>open") == ""
    assert html_text("next") == "next"


PIECES = [
    "<p>",
    "</p>",
    "<b",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?xml",
    "?>",
    "&#0;",
    "&#xD800;",
    "&",
    "\x00",
    "\ud800",
]
PIECES += [
    "<svg>",
    "<head>",
    "</html>",
    "<frameset>",
    "<plaintext>",
    "<textarea>",
    "<script>",
    "<a href='",
    "<!DOCTYPE x [",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5)))
def test_no_html_is_an_error_and_none_changes_how_the_next_is_read(pieces):
    html_text("".join(pieces))
    assert html_text("<p>next</p>") == "next"


def test_what_is_left_out_is_counted_by_reason():
    documents, counts = read(
        posts(
            question(1, "<p>kept</p>"),
            question(2, "<p>no tags</p>", tags=""),
            question(3, "<p>no valid tag</p>", tags="<->"),
            question(4, "<p>no title</p>", title=" "),
            question(5, "<p><img src='x'></p>"),
            row(Id="6", PostTypeId="2", ParentId="1", Body="<p>an answer</p>"),
            row(Id="7", PostTypeId="1"),
        )
    )
    assert [document.id for document in documents] == ["cs-1"]
    assert counts == {"posts": 7, "no valid tag": 3, "no title": 1, "no text": 1}


@pytest.mark.parametrize("chunk", [1, 7, 10_000])
def test_where_the_stream_is_cut_does_not_matter(chunk):
    documents, _ = read(posts(question(1, "<p>é漢😀</p>"), question(2, "two")), chunk)
    assert [document.body for document in documents] == ["é漢😀", "two"]


BOMB = """<?xml version="1.0"?><!DOCTYPE posts [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><posts><row Id="1" PostTypeId="1" Body="&c;" /></posts>"""
EXTERNAL = '<!DOCTYPE posts [<!ENTITY x SYSTEM "file:///etc/hostname">]><posts><row Body="1">&x;</row></posts>'
REMOTE = '<!DOCTYPE posts SYSTEM "http://127.0.0.1:1/posts.dtd"><posts></posts>'


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        (BOMB, r"cs/Posts.xml: refused: it declares a document type"),
        (EXTERNAL, r"cs/Posts.xml: refused: it declares a document type"),
        (REMOTE, r"cs/Posts.xml: refused: it declares a document type"),
        ("<a>" * 100, r"not a Posts.xml: its root is <a> where <posts> is expected"),
        ("<users><row /></users>", r"not a Posts.xml: its root is <users>"),
        ("<posts>" + "<a>" * 100, r"refused: elements nested more than 16 deep"),
        ("<posts>\n<row Id='1'\n</posts>", r"cs/Posts.xml:3: is not well-formed XML"),
        ("<posts>\n<row />\n", r"cs/Posts.xml:3: is not well-formed XML \(no element found\)"),  # a cut file
        ("<posts><row Body='&undefined;' /></posts>", r"Posts.xml:1: is not well-formed XML \(undefined entity\)"),
        ("", r"cs/Posts.xml:1: is not well-formed XML"),
        (b"\xff\xfe\x00garbage", r"cs/Posts.xml:1: is not well-formed XML"),
    ],
)
def test_hostile_and_broken_xml_is_refused_with_its_place(xml, message):
    with pytest.raises(DataError, match=message):
        read(xml)


def test_a_post_without_end_is_refused_before_it_fills_the_memory():
    def endless():
        yield b'<posts><row Id="1" PostTypeId="1" Body="'
        while True:
            yield b"x" * 2**20

    tracemalloc.start()
    with pytest.raises(DataError, match=f"a post of more than {LONGEST_POST:,} bytes"):
        list(read_questions(endless(), "cs", PLACE, Counter()))
    assert tracemalloc.get_traced_memory()[1] < 4 * LONGEST_POST  # the parser doubles its buffer
    tracemalloc.stop()
