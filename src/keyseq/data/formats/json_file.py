"""JSON files that are one value: a list of records, or an object with such a list inside."""

from typing import Any, NamedTuple

from keyseq.errors import DataError
from keyseq.json_text import parse_json

LISTS = ("results", "items", "references", "documents", "records", "data")  # names of lists inside an object


class JsonFile(NamedTuple):
    """The value of a file, and the records in it."""

    value: Any
    records: list[Any]

    @classmethod
    def of(cls, text: str, place: str) -> "JsonFile":
        """Parse a file."""
        value = parse_json(text, place)
        if isinstance(value, list):
            return cls(value, value)
        if isinstance(value, dict):
            lists = [value[name] for name in LISTS if isinstance(value.get(name), list)]
            return cls(value, lists[0] if lists else [value])
        raise DataError(f"{place}: must be a list of JSON objects")
