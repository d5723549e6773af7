"""A client for ordinary code."""

import itertools
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from keyseq.client import wire
from keyseq.client.connection import Connection
from keyseq.client.wire import Call, Existing, FileReading, RequestSettings, ServedSystem
from keyseq.imports import require
from keyseq.types import Document, Phrase, as_documents

if TYPE_CHECKING:
    import httpx2


class Client:
    """A server of `keyseq serve` as a system: `keyseq.Client("http://127.0.0.1:8080").predict([text])`.

    Documents are sent in requests of `batch`, `concurrency` of them at a time. A request that the server has no room
    for is repeated up to `retries` times, after the pause that it asks for. Threads may share a client.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        token: str | None = None,
        batch: int = 32,
        concurrency: int = 2,
        retries: int = 5,
        timeout: float = 60.0,
    ) -> None:
        self._connection = Connection(
            url=url, token=token, batch=batch, concurrency=concurrency, retries=retries, timeout=timeout
        )
        self.name = url
        self._http: httpx2.Client = require("httpx2", "client").Client(**self._connection.options)
        self._pool = ThreadPoolExecutor(concurrency, thread_name_prefix="keyseq-client")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def predict(self, documents: Sequence[str | Document], **settings: Unpack[RequestSettings]) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [phrases for _, phrases in self.stream(as_documents(documents), **settings)]

    def stream(
        self, documents: Iterable[str | Document], **settings: Unpack[RequestSettings]
    ) -> Iterator[tuple[Document, list[Phrase]]]:
        """Yield each document of any number with its phrases, in order; only a few requests are in memory."""
        running: deque[tuple[list[Document], Future[list[list[Phrase]]]]] = deque()
        sent = 0
        try:
            for batch in wire.batches(documents, self._connection.batch):
                running.append((batch, self._pool.submit(self._predict, batch, dict(settings), sent)))
                sent += len(batch)
                if len(running) > self._connection.concurrency:
                    yield from _joined(*running.popleft())
            while running:
                yield from _joined(*running.popleft())
        finally:
            for _, future in running:
                future.cancel()

    def _predict(self, documents: list[Document], settings: dict[str, Any], first: int) -> list[list[Phrase]]:
        asked = [document for document in documents if document.text]
        return wire.read_phrases(documents, self._json(wire.keyphrase_call(asked, settings), first) if asked else None)

    def systems(self) -> list[ServedSystem]:
        """The systems of the server, the default first."""
        return wire.read_systems(self._json(wire.systems_call()))

    def read(self, path: Path | str, **reading: Unpack[FileReading]) -> list[Document]:
        """The documents of a file of any format that the server reads; its options are those of `keyseq.read`."""
        return wire.read_documents(self._json(wire.read_call(Path(path), reading)))

    def tag(
        self,
        path: Path | str,
        *,
        existing: Existing = "merge",
        reading: FileReading | None = None,
        **settings: Unpack[RequestSettings],
    ) -> bytes:
        """A library or table with the keyphrases of its documents added, nothing else changed.

        `existing` keywords of an entry are added to, kept as they are, or replaced; `reading` is as in `read`.
        """
        found = self.predict(self.read(path, **(reading or {})), **settings)
        return self._send(wire.tag_call(Path(path), found, existing, reading or {})).content

    def close(self) -> None:
        """Close the connections."""
        self._pool.shutdown(cancel_futures=True)
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _json(self, call: Call, first: int = 0) -> Any:
        return self._send(call, first).json()

    def _send(self, call: Call, first: int = 0) -> "httpx2.Response":
        """Send a request until there is an answer."""
        import httpx2

        for attempt in itertools.count(1):
            after = None
            try:
                response = self._http.send(self._connection.request(self._http, call))
            except httpx2.TransportError as error:
                self._connection.check_repeatable(error, attempt)
            else:
                if self._connection.is_final(response, attempt):
                    return self._connection.checked(response, first)
                after = response.headers.get("retry-after")
            time.sleep(wire.pause(attempt, after))
        raise AssertionError  # the last attempt returns or raises


def _joined(documents: list[Document], future: "Future[list[list[Phrase]]]") -> Iterator[tuple[Document, list[Phrase]]]:
    return zip(documents, future.result(), strict=True)
