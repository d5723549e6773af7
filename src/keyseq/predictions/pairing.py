"""Pair predictions, from files or from memory, with their documents."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import tee

from keyseq.errors import DataError, UnfitValueError, named_value
from keyseq.predictions.readers import Prediction
from keyseq.types import Document, Phrase

Pair = tuple[Document, list[str]]
Phrases = Iterable[str | Phrase]


def given(predictions: Mapping[str, Phrases] | Iterable[Phrases | Prediction]) -> Iterator[Prediction]:
    """Take predictions that are in memory: lists of phrases in the order of the documents, or by their ids."""
    if isinstance(predictions, Mapping):
        for key, phrases in predictions.items():
            yield _prediction(key, phrases, f"prediction '{key}'")
        return
    if not isinstance(predictions, Iterable) or isinstance(predictions, bytes):
        told = named_value(predictions)
        raise UnfitValueError(f"predictions are a list of phrases for each document, or a file of them, not {told}")
    for index, entry in enumerate(predictions):
        yield entry if isinstance(entry, Prediction) else _prediction(None, entry, f"prediction {index}")


def _prediction(key: str | None, phrases: Phrases, place: str) -> Prediction:
    if isinstance(phrases, str):
        raise TypeError("predictions are a list of phrases for each document: write [[phrase, …], …]")
    if not isinstance(phrases, Iterable) or isinstance(phrases, bytes | Mapping):
        counted = " (counted from 0)" if key is None else ""
        raise UnfitValueError(f"{place}{counted} is {named_value(phrases)}, not a list of phrases; use [] for none")
    known = list(phrases)
    for index, phrase in enumerate(known):
        if not isinstance(phrase, str | Phrase):
            raise UnfitValueError(f"phrase {index} of {place} (counted from 0) is {named_value(phrase)}, not a text")
    uris = [phrase.uri if isinstance(phrase, Phrase) else None for phrase in known]
    texts = [phrase.text if isinstance(phrase, Phrase) else phrase for phrase in known]
    return Prediction(key, texts, place, uris if any(uris) else ())


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


def pair_all(documents: Iterable[Document], systems: Iterable[Iterable[Prediction]]) -> Iterator[Pair]:
    """Give each document the predictions of several systems, those of the first system first."""
    predictions = list(systems)
    copies = tee(documents, len(predictions))
    for pairs in zip(*map(pair, copies, predictions), strict=True):
        yield pairs[0][0], [phrase for _, phrases in pairs for phrase in phrases]


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
    counted = f"{predictions:,} document{'' if predictions == 1 else 's'}"
    return f"{whole}predictions for {counted}, but there are {documents:,}: every document needs one"


def _pair_by_id(documents: Iterable[Document], shelf: "_Shelf", whole: str) -> Iterator[Pair]:
    missing: list[str] = []
    taken: set[str] = set()
    for document in documents:
        if document.id in taken:
            raise DataError(
                f"two gold documents have the id '{document.id}'; make ids unique, or leave them out of the predictions"
            )
        taken.add(document.id)
        phrases = shelf.take(document.id)
        if phrases is None and shelf.partial:
            phrases = []
        if phrases is None:
            missing.append(document.id)
        elif not missing:
            yield document, phrases
    if not taken:
        raise DataError("the gold corpus contains no documents; check its name and format")
    problems = [
        _some(missing, "document", "without predictions"),
        _some(shelf.rest(), "prediction", "for ids that the gold corpus lacks"),
    ]
    if any(problems):
        raise DataError(whole + "; ".join(filter(None, problems)))


def _some(ids: list[str], noun: str, what: str) -> str:
    counted = f"{len(ids):,} {noun}{'' if len(ids) == 1 else 's'}"
    return f"{counted} {what} ({', '.join(ids[:3])}{', …' if len(ids) > 3 else ''})" if ids else ""


class _Shelf:
    """Predictions by id, read from their stream only as far as needed."""

    def __init__(self, first: Prediction, rest: Iterator[Prediction]) -> None:
        self._stream, self.partial = rest, first.partial
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
        """The ids of predictions without a document."""
        for prediction in self._stream:
            self._add(prediction)
        return list(self._waiting)
