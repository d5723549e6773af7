"""The ends of messages."""

import pytest

from keyseq.errors import nearest, shown


def test_the_name_that_was_meant_or_all_there_are():
    assert nearest("jsnl", ["jsonl", "csv"]) == "; did you mean 'jsonl'?"
    assert nearest("xyz", ["jsonl", "csv"]) == "; there are jsonl, csv"
    assert nearest("xyz", ["jsonl"]) == "; the only one is jsonl"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain é", "plain é"),
        ("two\nlines\tand \x1b[31mred", "two lines and [31mred"),
        ("a" * 81, "a" * 79 + "…"),
        ("\n" * 1000, "…"),
    ],
)
def test_foreign_text_is_quoted_in_one_short_line(text, expected):
    assert shown(text) == expected
