"""Prediction files that are one JSON value: an array with an entry for each document, or an object by ids."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from keyseq.errors import DataError
from keyseq.files import open_binary
from keyseq.json_text import parse_json
from keyseq.predictions.readers import Prediction, PredictionRecords, as_phrases, split


def read_array(path: Path, records: PredictionRecords) -> Iterator[Prediction]:
    """Read a file whole. An entry is an object, a list of phrases, or a text of separated phrases."""
    value = _parsed(path)
    if isinstance(value, dict):
        if not value or not all(isinstance(phrases, list) for phrases in value.values()):
            yield records.prediction(value, str(path))
            return
        for name, phrases in value.items():
            place = f"{path}: '{name}'"
            yield Prediction(name, as_phrases(phrases, name, place), place)
        return
    for number, entry in enumerate(value, start=1):
        place = f"{path}: entry {number}"
        if isinstance(entry, str):
            yield Prediction(None, split(entry, records.separator), place)
        else:
            yield records.prediction(entry, place)


def _parsed(path: Path) -> Any:  # a list or a dict
    with open_binary(path) as file:
        try:
            text = file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise DataError(f"{path}: not UTF-8 text; convert the file to UTF-8") from None
        return parse_json(text, str(path))
