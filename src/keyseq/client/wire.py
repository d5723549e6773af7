"""The wire format of both clients: requests, typed answers, errors and pauses."""

import base64
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Literal, TypedDict

from keyseq.errors import KeyseqError
from keyseq.types import TITLE_SEPARATOR, Document, Evidence, Phrase

CHARACTERS = 500_000  # of the documents of a request, well below the usual limit of 4 MiB
AGAIN = (429, 502, 503, 504)  # statuses of a server, or of a proxy, that may answer soon
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0  # seconds
Existing = Literal["merge", "keep", "replace"]  # what becomes of the keywords of an entry
_PLACE = re.compile(r"documents\[(\d+)\]")


class RequestSettings(TypedDict, total=False):
    """The settings of a request, as in `keyseq generate`; those that are left out are the server's."""

    system: str | None
    top: int | None
    min_score: float | None
    beta: float | None
    present: bool | None
    vocabulary: str | None
    also_new: bool | None
    allow: Sequence[str] | None
    deny: Sequence[str] | None
    decoding: Literal["distinct", "greedy", "beam", "exhaustive", "sampling"] | None
    beam: int | None
    ranking: Literal["sequence", "probability", "share", "learnt"] | None
    min_share: float | None
    candidates: Literal["noun-phrases", "runs", "ngrams"] | None
    language: str | None
    explain: bool


class ServerError(KeyseqError):
    """A request that the server refused: its status, the server's sentence, and the part of the request it concerns."""

    def __init__(self, message: str, status: int, place: str | None = None) -> None:
        super().__init__(message)
        self.status, self.place = status, place


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedSystem:
    """A system of a server; `settings` are those it takes, `defaults` those that the server sets for it."""

    name: str
    description: str
    absent: bool
    default: bool
    settings: tuple[str, ...]
    defaults: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request: its method, its path relative to the address of the server, and its JSON, body or query."""

    method: str
    path: str
    json: Any = None
    content: bytes | None = None
    params: Mapping[str, str] = field(default_factory=dict)


def systems_call() -> Call:
    """The request for the available systems."""
    return Call(method="GET", path="v1/systems")


class FileReading(TypedDict, total=False):
    """How a server reads a file: its format, if the name does not show it, its columns, and its encoding."""

    format: str
    title_column: str
    text_column: str
    id_column: str
    keywords_column: str
    separator: str
    encoding: str


def read_call(path: Path, reading: FileReading) -> Call:
    """The request for the documents of a file."""
    params = {"name": path.name, **{name: str(value) for name, value in reading.items()}}
    return Call(method="POST", path="v1/documents", content=_content(path), params=params)


def tag_call(path: Path, found: Iterable[Sequence[Phrase]], existing: Existing, reading: FileReading) -> Call:
    """The request for a library with these keyphrases."""
    keyphrases = [[phrase.text for phrase in phrases] for phrases in found]
    content = base64.b64encode(_content(path)).decode()
    return Call(
        method="POST",
        path="v1/library",
        json={"name": path.name, "content": content, "keyphrases": keyphrases, "existing": existing, **reading},
    )


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        raise KeyseqError(f"{path}: {reason}; name a file on this machine") from None


def keyphrase_call(documents: Sequence[Document], settings: Mapping[str, Any]) -> Call:
    """The request for the keyphrases of documents, none of which is empty."""
    rows = [{"title": _encodable(document.title), "text": _encodable(document.body)} for document in documents]
    given = {name: value for name, value in settings.items() if value is not None}
    lists = {name: list(given[name]) for name in ("allow", "deny") if name in given}
    return Call(method="POST", path="v1/keyphrases", json={"documents": rows, **given, **lists})


def _encodable(text: str) -> str:
    """A text with a question mark for each half of a surrogate pair, which no request can hold; as long as it was."""
    return text.encode("utf-8", "replace").decode()


class RequestBatches:
    """Collects documents to lists of at most `size`, and of a bounded number of characters; texts become documents."""

    def __init__(self, size: int) -> None:
        self._size, self._count, self._characters = size, 0, 0
        self._batch: list[Document] = []

    def add(self, value: str | Document) -> list[Document]:
        """Add a document; return the batch that is full without it, or an empty list."""
        if not isinstance(value, str | Document):
            raise KeyseqError(f"document {self._count} (counted from 0) is of type {type(value).__name__}, not a text")
        self._count += 1
        document = value if isinstance(value, Document) else Document(id=str(self._count), body=value)
        length = len(document.text)
        is_full = len(self._batch) == self._size or self._characters + length > CHARACTERS
        full = self.rest() if is_full else []
        self._batch.append(document)
        self._characters += length
        return full

    def rest(self) -> list[Document]:
        """The documents that are left."""
        batch, self._batch, self._characters = self._batch, [], 0
        return batch


def batches(documents: Iterable[str | Document], size: int) -> Iterator[list[Document]]:
    """Documents in batches."""
    collected = RequestBatches(size)
    for document in documents:
        if batch := collected.add(document):
            yield batch
    if rest := collected.rest():
        yield rest


def read_phrases(documents: Sequence[Document], answer: Any) -> list[list[Phrase]]:
    """The phrases of each document, from the answer to a request for those that are not empty."""
    answered = iter(answer["documents"] if answer else ())
    return [
        [_phrase(found, document) for found in next(answered)["keyphrases"]] if document.text else []
        for document in documents
    ]


def _phrase(found: Mapping[str, Any], document: Document) -> Phrase:
    """A phrase with its spans in `Document.text`; the server counts from the beginning of title and text."""
    shift = len(document.title) + len(TITLE_SEPARATOR) if document.title else 0
    spans = [*map(tuple, found["title_spans"]), *((start + shift, end + shift) for start, end in found["spans"])]
    return Phrase(
        text=found["text"],
        score=found["score"],
        present=found["present"],
        spans=tuple(spans),
        evidence=_evidence(found.get("evidence")),
        uri=found.get("uri"),
        matched=found.get("matched"),
        new=found.get("new") or False,
    )


def _evidence(found: Mapping[str, Any] | None) -> Evidence | None:
    if found is None:
        return None
    known = {one.name for one in fields(Evidence)}  # a later server may tell more
    given = {name: value for name, value in found.items() if name in known and value is not None}
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    return Evidence(**values)


def read_documents(answer: Any) -> list[Document]:
    """The documents of a file."""
    return [Document(id=row["id"], title=row["title"], body=row["text"]) for row in answer["documents"]]


def read_systems(answer: Any) -> list[ServedSystem]:
    """The systems of a server; fields that a later version adds are ignored."""
    return [
        ServedSystem(
            name=row["name"],
            description=row["description"],
            absent=row["absent"],
            default=row["default"],
            settings=tuple(row["settings"]),
            defaults=row.get("defaults", {}),
        )
        for row in answer["systems"]
    ]


def failure(status: int, answer: Any, first: int = 0) -> ServerError:
    """The error of an answer; `first` is the number of documents in earlier requests."""
    error = answer.get("error") if isinstance(answer, Mapping) else None
    if not isinstance(error, Mapping):
        return ServerError(f"the server answered with status {status}, and not as keyseq does", status)

    def counted(text: str) -> str:
        return _PLACE.sub(lambda found: f"documents[{int(found[1]) + first}]", text)

    place = error.get("place")
    return ServerError(counted(str(error.get("message"))), status, None if place is None else counted(str(place)))


def pause(attempt: int, retry_after: str | None) -> float:
    """Seconds to wait after an attempt, from 1: as the server asks, or else twice as long each time."""
    told = _seconds(retry_after) if retry_after else None
    if told is not None:
        return min(max(told, 0.0), LONGEST_PAUSE)
    grown: float = min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)
    return grown * random.uniform(0.5, 1)  # noqa: S311  # so that clients do not all come back at once


def _seconds(retry_after: str) -> float | None:
    """The header Retry-After, which is a number of seconds or a date."""
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        when = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return (when - datetime.now(UTC)).total_seconds() if when.tzinfo else None
