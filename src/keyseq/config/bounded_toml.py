"""TOML from files that others may have written: small, and not deeply nested."""

import re
import tomllib
from typing import Any

LARGEST = 256 * 1024  # characters; keyseq writes a few thousand
DEEPEST = 16  # parts of a key
# texts and comments; one without its end goes to that of the line, so that it is read once
_TEXTS = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*\'?|#[^\n]*')
_SEVERAL_LINES = ('"""', "'''")


def parse_toml(text: str) -> dict[str, Any]:
    """The values of TOML; ValueError if it is invalid, or too large or too deeply nested to be settings.

    A key of many parts would take tomllib minutes, and gigabytes of memory.
    """
    if len(text) > LARGEST:
        raise ValueError(f"more than {LARGEST:,} characters")
    if any(quotes in text for quotes in _SEVERAL_LINES):
        raise ValueError("a text over several lines, which no setting is")
    for number, line in enumerate(_TEXTS.sub("", text).split("\n"), start=1):
        if line.count(".") > DEEPEST:
            raise ValueError(f"line {number}: a key of more than {DEEPEST} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
