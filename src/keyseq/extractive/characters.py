"""Candidates in scripts without spaces between words, such as Chinese: character n-grams that recur."""

import re
from collections import defaultdict
from collections.abc import Iterator

from keyseq.extractive.reading import CHARACTER, Reading

LONGEST = 4  # characters

_RUN = re.compile(f"{CHARACTER}{{2,}}")


def recurring(reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield the places of character n-grams that occur at least twice, not always within a longer one."""
    places: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for run in _RUN.finditer(reading.classes):
        for length in range(2, LONGEST + 1):
            for first in range(run.start(), run.end() - length + 1):
                places[tuple(reading.units[first : first + length])].append((first, first + length))
    parts = {
        part
        for longer, found in places.items()
        for part in (longer[1:], longer[:-1])
        if len(part) > 1 and len(places[part]) == len(found)
    }
    for characters, found in places.items():
        if len(found) > 1 and characters not in parts:
            yield from found
