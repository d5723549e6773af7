"""Read prediction files: keyseq's own format and those of earlier work."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keyseq.errors import DataError
from keyseq.files import open_binary

SEPARATOR = ";"
PRESENT_END = "<peos>"  # keyphrase-generation-rl writes it between present and absent phrases


@dataclass(frozen=True, slots=True)
class Prediction:
    """The phrases that a system predicted for one document; `place` says where it was read, for messages.

    `uris` are those of the phrases' concepts, None of a phrase without one; empty if no phrase has one.
    """

    id: str | None
    phrases: list[str]
    place: str
    uris: Sequence[str | None] = ()


def read_predictions(path: Path, *, top_sequence: bool = False) -> Iterator[Prediction]:
    """Stream a prediction file, whose format is recognised by its first non-empty line.

    - Our JSON lines: `{"id": "7", "keyphrases": ["neural network", …]}`, or objects with a `text` as phrases.
    - The released `.pred` files of OpenNMT-kpg: JSON lines with `pred_sents`, each phrase a list of words. With
      `top_sequence` only the phrases of the best sequence are taken, as for self-terminating decoding.
    - One line per document, phrases separated by `;`, possibly with `<peos>`, as keyphrase-generation-rl writes them.
    """
    if path.is_fifo():
        raise DataError(f"{path}: a pipe; write the predictions to a file, since they are read more than once")
    if next(_lines(path), None) is None:
        raise DataError(f"{path}: is empty; it needs one line per document")
    first = next((line for _, line in _lines(path) if line), "")
    if not first.startswith("{"):
        return _read_separated(path, first)
    return _read_records(path, "topseq_pred_sents" if top_sequence else "pred_sents")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with open_binary(path) as file:
        for number, line in enumerate(file, start=1):
            try:
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            except UnicodeDecodeError:
                raise DataError(f"{path}:{number}: not UTF-8 text; convert the file to UTF-8") from None


def _read_separated(path: Path, first: str) -> Iterator[Prediction]:
    if first.startswith(("[{", '["')) or first == "[":
        raise DataError(f'{path}: a JSON array; write one JSON object per line: {{"id": …, "keyphrases": […]}}')
    for number, line in _lines(path):
        yield _separated(line, f"{path}:{number}")


def _read_records(path: Path, released_field: str) -> Iterator[Prediction]:
    for number, line in _lines(path):
        if line:
            yield _record(line, f"{path}:{number}", released_field)


def _separated(line: str, place: str) -> Prediction:
    phrases = (phrase.strip() for phrase in line.replace(PRESENT_END, SEPARATOR).split(SEPARATOR))
    return Prediction(None, [phrase for phrase in phrases if phrase], place)


def _record(line: str, place: str, released_field: str) -> Prediction:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(f"{place}: not a JSON object ({error.msg})") from None
    if not isinstance(record, dict):
        raise DataError(f"{place}: not a JSON object")
    if "keyphrases" in record:
        name = record.get("id")
        phrases = _phrases(record["keyphrases"], "keyphrases", place)
        return Prediction(None if name is None else str(name), phrases, place, _uris(record["keyphrases"]))
    if released_field in record:
        return Prediction(None, _phrases(record[released_field], released_field, place), place)
    raise DataError(f"{place}: neither 'keyphrases' nor '{released_field}' in this object")


def _uris(entries: list[Any]) -> list[str | None]:
    """The URIs of phrases; none if no phrase has one."""
    uris = [entry.get("uri") if isinstance(entry, dict) else None for entry in entries]
    return [uri if isinstance(uri, str) else None for uri in uris] if any(uris) else []


def _phrases(value: Any, field: str, place: str) -> list[str]:  # whatever the file holds
    if not isinstance(value, list):
        raise DataError(f"{place}: '{field}' must be a list of phrases")
    return [_phrase(entry, field, place) for entry in value]


def _phrase(entry: object, field: str, place: str) -> str:
    if isinstance(entry, dict):
        entry = entry.get("text")
    if isinstance(entry, list) and all(isinstance(word, str) for word in entry):
        return " ".join(entry)
    if not isinstance(entry, str):
        raise DataError(f"{place}: '{field}' holds something other than strings and objects with a 'text'")
    return entry
