"""JSON files that are one value: a list of records, or an object with such a list inside."""

import json
from typing import Any, NamedTuple

from keyseq.errors import DataError

LISTS = ("results", "items", "references", "documents", "records", "data")  # names of lists inside an object


class JsonFile(NamedTuple):
    """The value of a file, and the records in it."""

    value: Any
    records: list[Any]

    @classmethod
    def of(cls, text: str, place: str) -> "JsonFile":
        """Parse a file."""
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            raise DataError(f"{place}:{error.lineno}: not JSON ({error.msg} at column {error.colno})") from None
        except (ValueError, RecursionError) as error:
            raise DataError(f"{place}: JSON that cannot be read ({error})") from None
        if isinstance(value, list):
            return cls(value, value)
        if isinstance(value, dict):
            lists = [value[name] for name in LISTS if isinstance(value.get(name), list)]
            return cls(value, lists[0] if lists else [value])
        raise DataError(f"{place}: must be a list of JSON objects")
