"""Prediction files, ours and those of earlier work, and the pairing of predictions with documents."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keyseq.errors import DataError
from keyseq.files import open_binary
from keyseq.types import Document, Phrase

SEPARATOR = ";"
PRESENT_END = "<peos>"  # what keyphrase-generation-rl writes between present and absent phrases

Pair = tuple[Document, list[str]]
Phrases = Iterable[str | Phrase]


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a system said of one document; where it came from, for messages."""

    id: str | None
    phrases: list[str]
    place: str


def read_predictions(path: Path, *, top_sequence: bool = False) -> Iterator[Prediction]:
    """Stream a prediction file, whose kind shows in its first line that is not empty.

    - Our JSON lines: `{"id": "7", "keyphrases": ["neural network", …]}`, or objects with a `text` as phrases.
    - The released `.pred` files of OpenNMT-kpg: JSON lines with `pred_sents`, each phrase a list of words. With
      `top_sequence` only the phrases of the best sequence are taken, as for self-terminating decoding.
    - One line a document, phrases between `;`, among them maybe `<peos>`, as keyphrase-generation-rl writes them.
    """
    if path.is_fifo():
        raise DataError(f"{path}: a pipe; write the predictions to a file, for they are read more than once")
    if next(_lines(path), None) is None:
        raise DataError(f"{path}: is empty; each document needs its line")
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
                raise DataError(f"{path}:{number}: not UTF-8 text") from None


def _read_separated(path: Path, first: str) -> Iterator[Prediction]:
    if first.startswith(("[{", '["')) or first == "[":
        raise DataError(f'{path}: a JSON array; write one JSON object a line: {{"id": …, "keyphrases": […]}}')
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
        return Prediction(None if name is None else str(name), phrases, place)
    if released_field in record:
        return Prediction(None, _phrases(record[released_field], released_field, place), place)
    raise DataError(f"{place}: neither 'keyphrases' nor '{released_field}' in this object")


def _phrases(value: Any, field: str, place: str) -> list[str]:  # noqa: ANN401  # whatever the file holds
    if not isinstance(value, list):
        raise DataError(f"{place}: '{field}' must be a list of phrases")
    return [_phrase(entry, field, place) for entry in value]


def _phrase(entry: object, field: str, place: str) -> str:
    if isinstance(entry, dict):
        entry = entry.get("text")
    if isinstance(entry, list) and all(isinstance(word, str) for word in entry):
        return " ".join(entry)
    if not isinstance(entry, str):
        raise DataError(f"{place}: '{field}' holds something that is no phrase: a text, or an object with a 'text'")
    return entry


def given(predictions: Mapping[str, Phrases] | Iterable[Phrases | Prediction]) -> Iterator[Prediction]:
    """Take predictions that are in memory: lists of phrases in the order of the documents, or by their ids."""
    if isinstance(predictions, Mapping):
        for key, phrases in predictions.items():
            yield Prediction(key, _texts(phrases), f"'{key}'")
        return
    for number, entry in enumerate(predictions, start=1):
        yield entry if isinstance(entry, Prediction) else Prediction(None, _texts(entry), f"prediction {number}")


def _texts(phrases: Phrases) -> list[str]:
    if isinstance(phrases, str):
        raise TypeError("predictions are a list of phrases for each document: write [[phrase, …], …]")
    return [phrase.text if isinstance(phrase, Phrase) else phrase for phrase in phrases]


def pair(documents: Iterable[Document], predictions: Iterable[Prediction]) -> Iterator[Pair]:
    """Give each document its predictions: by id where they have ids, else in order; refuse what does not fit.

    Nothing is kept in memory as long as both come in the same order.
    """
    stream = iter(predictions)
    first = next(stream, None)
    if first is None:
        return _pair_in_order(iter(documents), iter(()), "")
    whole = first.place.rpartition(":")[0]
    whole = f"{whole}: " if whole else ""
    if first.id is None:
        return _pair_in_order(iter(documents), _all_without_id(first, stream), whole)
    return _pair_by_id(documents, _Shelf(first, stream), whole)


def _all_without_id(first: Prediction, rest: Iterator[Prediction]) -> Iterator[Prediction]:
    yield first
    for prediction in rest:
        if prediction.id is not None:
            raise DataError(f"{prediction.place}: has an id where the predictions before it have none")
        yield prediction


def _pair_in_order(documents: Iterator[Document], predictions: Iterator[Prediction], whole: str) -> Iterator[Pair]:
    paired = 0
    for document in documents:
        prediction = next(predictions, None)
        if prediction is None:
            raise DataError(_unequal(whole, paired, paired + 1 + sum(1 for _ in documents)))
        paired += 1
        yield document, prediction.phrases
    if extra := sum(1 for _ in predictions):
        raise DataError(_unequal(whole, paired + extra, paired))


def _unequal(whole: str, predictions: int, documents: int) -> str:
    return f"{whole}predictions for {predictions} documents, but there are {documents}: each needs its line"


def _pair_by_id(documents: Iterable[Document], shelf: "_Shelf", whole: str) -> Iterator[Pair]:
    missing: list[str] = []
    taken: set[str] = set()
    for document in documents:
        if document.id in taken:
            raise DataError(f"two gold documents have the id '{document.id}': predictions cannot be told apart by id")
        taken.add(document.id)
        phrases = shelf.take(document.id)
        if phrases is None:
            missing.append(document.id)
        elif not missing:
            yield document, phrases
    problems = [_some(missing, "documents without predictions"), _some(shelf.rest(), "predictions for unknown ids")]
    if any(problems):
        raise DataError(whole + "; ".join(filter(None, problems)))


def _some(ids: list[str], what: str) -> str:
    return f"{len(ids)} {what} ({', '.join(ids[:3])}{', …' if len(ids) > 3 else ''})" if ids else ""


class _Shelf:
    """Predictions by id, read from their stream only as far as they are asked for."""

    def __init__(self, first: Prediction, rest: Iterator[Prediction]) -> None:
        self._stream = rest
        self._seen: set[str] = set()
        self._waiting: dict[str, list[str]] = {}
        self._add(first)

    def _add(self, prediction: Prediction) -> None:
        if prediction.id is None:
            raise DataError(f"{prediction.place}: has no id where the predictions before it have one")
        if prediction.id in self._seen:
            raise DataError(f"{prediction.place}: a second prediction for the id '{prediction.id}'")
        self._seen.add(prediction.id)
        self._waiting[prediction.id] = prediction.phrases

    def take(self, id: str) -> list[str] | None:
        """The phrases for a document, None if there are none to the end of the stream."""
        while id not in self._waiting:
            prediction = next(self._stream, None)
            if prediction is None:
                return None
            self._add(prediction)
        return self._waiting.pop(id)

    def rest(self) -> list[str]:
        """The ids that nobody asked for."""
        for prediction in self._stream:
            self._add(prediction)
        return list(self._waiting)
