"""The year of a record, as libraries and exports write it."""

import re

YEAR_COLUMNS = ("year", "publication year", "publication_year", "pubyear", "date", "published")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


def year_of(*values: object) -> int | None:
    """The first year of the first value that has one: 2019, "2019/05//", "May 2019", "{2019}"."""
    for value in values:
        found = _YEAR.search(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else None
        if found:
            return int(found[0])
    return None
