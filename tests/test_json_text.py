"""JSON of users: a mistake is reported with its place, be it in a file or in a record on one line."""

import pytest

from keyseq.errors import DataError
from keyseq.json_text import parse_json


@pytest.mark.parametrize(
    ("text", "record", "message"),
    [
        ("[1,\n 2", False, "a.json:2: not JSON (Expecting ',' delimiter at column 3)"),
        ('{"id": \n', True, "a.json: not a JSON object (Expecting value at column 9)"),  # the line break is the 8th
        ("9" * 5_000, False, "a.json: JSON that cannot be read (Exceeds the limit"),  # of digits, in Python
        ("[" * 200_000, False, "a.json: JSON that cannot be read ("),
    ],
)
def test_a_mistake_is_reported_with_its_place(text, record, message):
    with pytest.raises(DataError) as raised:
        parse_json(text, "a.json", record=record)
    assert str(raised.value).startswith(message)


def test_the_value_is_any():
    assert [parse_json(text, "a.json") for text in ("[1]", '{"a": null}', '"b"')] == [[1], {"a": None}, "b"]
