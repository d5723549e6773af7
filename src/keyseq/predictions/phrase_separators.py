"""Whether a prediction file seems to separate its phrases by another mark than the one that it is split at."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from keyseq.files import bare_suffix
from keyseq.predictions.readers import GENERATED, TABLES, split, text_lines

OTHERS = {",": "','", "|": "'|'", "\t": "tabs", ";": "';'"}  # marks that people separate phrases by
LOOKED_AT = 1_000  # lines
SHARE = 0.5  # of the lines that have a mark which separates phrases


def separator_hint(path: Path, separator: str) -> str | None:
    """A hint on a file in which no document has two phrases, but another mark seems to separate them."""
    texts = list(islice(_texts(path), LOOKED_AT))
    if not texts or any(len(split(text, separator)) > 1 for text in texts):
        return None
    counts = {mark: sum(mark in text for text in texts) for mark in OTHERS if mark != separator}
    mark = max(counts, key=lambda mark: counts[mark])
    if counts[mark] < SHARE * len(texts):
        return None
    flag = "$'\\t'" if mark == "\t" else f"'{mark}'"
    return (
        f"{path}: no document has more than one phrase, since none contains '{separator}'; "
        f"if phrases are separated by {OTHERS[mark]}, add --separator {flag}"
    )


def _texts(path: Path) -> Iterator[str]:
    """The texts that are split into phrases."""
    if bare_suffix(path) in TABLES or path.is_fifo():  # a pipe cannot be read twice
        return
    for _, line in text_lines(path):
        if line.startswith("{"):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                return
            if not isinstance(value.get(GENERATED), str):
                return
            yield value[GENERATED]
        elif line.startswith("["):
            return
        elif line:
            yield line
