"""JSON in files of users; a mistake in it is reported with its place."""

import json
from typing import Any

from keyseq.errors import DataError


def parse_json(text: str, place: str, *, record: bool = False) -> Any:
    """The value of a file or, if `place` has the number of its line already, of a `record` on one line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if record:  # whose line may end with a line break
            raise DataError(f"{place}: not a JSON object ({error.msg} at column {error.pos + 1})") from None
        raise DataError(f"{place}:{error.lineno}: not JSON ({error.msg} at column {error.colno})") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: JSON that cannot be read ({error})") from None
