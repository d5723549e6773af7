"""Read prediction files: keyseq's own format, those of earlier work, and what people's scripts write."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from keyseq.errors import DataError
from keyseq.files import bare_suffix, open_binary
from keyseq.json_text import parse_json

SEPARATOR = ";"
PRESENT_END = "<peos>"  # keyphrase-generation-rl writes it between present and absent phrases
GENERATED = "generated_text"  # what the pipelines of Hugging Face call their output
TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}  # by the suffix of a table, its delimiter


@dataclass(frozen=True, slots=True)
class Prediction:
    """The phrases that a system predicted for one document; `place` says where it was read, for messages.

    `uris` are those of the phrases' concepts, None of a phrase without one; empty if no phrase has one. `partial` is
    true if it is from a file that has no place for documents without phrases.
    """

    id: str | None
    phrases: list[str]
    place: str
    uris: Sequence[str | None] = ()
    partial: bool = False


def read_predictions(path: Path, *, top_sequence: bool = False, separator: str = SEPARATOR) -> Iterator[Prediction]:
    """Stream a prediction file, whose format is recognised by its name or its first non-empty line.

    - Our JSON lines: `{"id": "7", "keyphrases": ["neural network", …]}`, or objects with a `text` as phrases.
    - The released `.pred` files of OpenNMT-kpg: JSON lines with `pred_sents`, each phrase a list of words. With
      `top_sequence` only the phrases of the best sequence are taken, as for self-terminating decoding.
    - The output of a Hugging Face pipeline: objects with a `generated_text`, its phrases separated by `separator`.
    - A JSON array of such objects, of lists of phrases or of texts; lines that are lists of phrases; or an object with
      a list of phrases for each id.
    - A CSV or TSV file with a phrase in each row, as generate writes it, or all phrases of a document in one cell.
    - One line per document, phrases separated by `separator`, possibly with `<peos>`, as keyphrase-generation-rl has.
    """
    if path.is_fifo():
        raise DataError(f"{path}: a pipe; write the predictions to a file, since they are read more than once")
    if not separator:
        raise DataError("the separator of phrases must not be empty")
    if next(text_lines(path), None) is None:
        raise DataError(f"{path}: is empty; it needs one line per document")
    if bare_suffix(path) in TABLES:
        from keyseq.predictions.prediction_rows import read_table

        return read_table(path, TABLES[bare_suffix(path)], separator)
    records = PredictionRecords("topseq_pred_sents" if top_sequence else "pred_sents", separator)
    begin = list(islice((line for _, line in text_lines(path) if line), 2))
    if _is_whole(begin):
        from keyseq.predictions.whole_json import read_array

        return read_array(path, records)
    if begin and begin[0].startswith(("{", "[")):
        return records.lines(path)
    return _read_separated(path, separator)


def _is_whole(begin: list[str]) -> bool:
    """Whether the first lines of a file are those of one JSON value, not of a value each."""
    first = begin[0] if begin else ""
    if not first.startswith(("{", "[")):
        return False
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return first == "{" or first.startswith("[")
    if len(begin) > 1:
        return False
    return isinstance(value, list) or (not _is_record(value) and all(isinstance(one, list) for one in value.values()))


def _is_record(value: dict[str, Any]) -> bool:
    return any(field in value for field in ("keyphrases", "pred_sents", "topseq_pred_sents", GENERATED))


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers."""
    with open_binary(path) as file:
        for number, line in enumerate(file, start=1):
            try:
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            except UnicodeDecodeError:
                raise DataError(f"{path}:{number}: not UTF-8 text; convert the file to UTF-8") from None


def _read_separated(path: Path, separator: str) -> Iterator[Prediction]:
    for number, line in text_lines(path):
        yield Prediction(None, split(line, separator), f"{path}:{number}")


def split(text: str, separator: str) -> list[str]:
    """The phrases of a text; what lies between two separators in a row is none."""
    phrases = (phrase.strip() for phrase in text.replace(PRESENT_END, separator).split(separator))
    return [phrase for phrase in phrases if phrase]


@dataclass(frozen=True, slots=True)
class PredictionRecords:
    """How predictions are read from values of JSON."""

    released_field: str
    separator: str

    def lines(self, path: Path) -> Iterator[Prediction]:
        """The predictions of lines that are JSON each; blank ones are passed over."""
        for number, line in text_lines(path):
            if line:
                place = f"{path}:{number}"
                yield self.prediction(parse_json(line, place, record=True), place)

    def prediction(self, value: Any, place: str) -> Prediction:
        """The prediction of a record: an object, a list of phrases, or what a pipeline returned for one text."""
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict) and GENERATED in value[0]:
            value = value[0]
        if isinstance(value, list):
            return Prediction(None, as_phrases(value, "the list", place), place, _uris(value))
        if not isinstance(value, dict):
            raise DataError(f"{place}: not a JSON object")
        name = None if value.get("id") is None else str(value["id"])
        if "keyphrases" in value:
            phrases = as_phrases(value["keyphrases"], "keyphrases", place)
            return Prediction(name, phrases, place, _uris(value["keyphrases"]))
        if self.released_field in value:
            return Prediction(None, as_phrases(value[self.released_field], self.released_field, place), place)
        if isinstance(value.get(GENERATED), str):
            return Prediction(name, split(value[GENERATED], self.separator), place)
        raise DataError(f"{place}: none of 'keyphrases', '{self.released_field}' and '{GENERATED}' in this object")


def _uris(entries: list[Any]) -> list[str | None]:
    """The URIs of phrases; none if no phrase has one."""
    if _are_texts(entries):
        return []
    uris = [entry.get("uri") if isinstance(entry, dict) else None for entry in entries]
    return [uri if isinstance(uri, str) else None for uri in uris] if any(uris) else []


def as_phrases(value: Any, field: str, place: str) -> list[str]:  # whatever the file holds
    """The phrases of a list, each a string, an object with a `text` or a list of words."""
    if not isinstance(value, list):
        raise DataError(f"{place}: '{field}' must be a list of phrases")
    if _are_texts(value):
        return value
    return [_phrase(entry, field, place) for entry in value]


def _are_texts(entries: list[Any]) -> bool:
    return {str}.issuperset(map(type, entries))


def _phrase(entry: object, field: str, place: str) -> str:
    if isinstance(entry, dict):
        entry = entry.get("text")
    if isinstance(entry, list) and all(isinstance(word, str) for word in entry):
        return " ".join(entry)
    if not isinstance(entry, str):
        raise DataError(f"{place}: '{field}' holds something other than strings and objects with a 'text'")
    return entry
