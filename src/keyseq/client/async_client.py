"""A client for asynchronous code."""

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Sequence
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


class AsyncClient:
    """`Client` for asynchronous code: `async with keyseq.AsyncClient() as client: await client.predict([text])`."""

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
        self._http: httpx2.AsyncClient = require("httpx2", "client").AsyncClient(**self._connection.options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    async def predict(
        self, documents: Sequence[str | Document], **settings: Unpack[RequestSettings]
    ) -> list[list[Phrase]]:
        """Return the ranked phrases of each document."""
        return [phrases async for _, phrases in self.stream(as_documents(documents), **settings)]

    async def stream(
        self, documents: Iterable[str | Document] | AsyncIterable[str | Document], **settings: Unpack[RequestSettings]
    ) -> AsyncIterator[tuple[Document, list[Phrase]]]:
        """Yield each document of any number with its phrases, in order; only a few requests are in memory."""
        running: deque[tuple[list[Document], asyncio.Task[list[list[Phrase]]]]] = deque()
        sent = 0
        try:
            async for batch in _batches(documents, self._connection.batch):
                running.append((batch, asyncio.create_task(self._predict(batch, dict(settings), sent))))
                sent += len(batch)
                if len(running) > self._connection.concurrency:
                    for pair in await _joined(*running.popleft()):
                        yield pair
            while running:
                for pair in await _joined(*running.popleft()):
                    yield pair
        finally:
            for _, task in running:
                task.cancel()

    async def _predict(self, documents: list[Document], settings: dict[str, Any], first: int) -> list[list[Phrase]]:
        asked = [document for document in documents if document.text]
        answer = await self._json(wire.keyphrase_call(asked, settings), first) if asked else None
        return wire.read_phrases(documents, answer)

    async def systems(self) -> list[ServedSystem]:
        """The systems of the server, the default first."""
        return wire.read_systems(await self._json(wire.systems_call()))

    async def read(self, path: Path | str, **reading: Unpack[FileReading]) -> list[Document]:
        """The documents of a file of any format that the server reads; its options are those of `keyseq.read`."""
        return wire.read_documents(await self._json(wire.read_call(Path(path), reading)))

    async def tag(
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
        found = await self.predict(await self.read(path, **(reading or {})), **settings)
        return (await self._send(wire.tag_call(Path(path), found, existing, reading or {}))).content

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _json(self, call: Call, first: int = 0) -> Any:
        return (await self._send(call, first)).json()

    async def _send(self, call: Call, first: int = 0) -> "httpx2.Response":
        """Send a request until there is an answer."""
        import httpx2

        for attempt in itertools.count(1):
            after = None
            try:
                response = await self._http.send(self._connection.request(self._http, call))
            except httpx2.TransportError as error:
                self._connection.check_repeatable(error, attempt)
            else:
                if self._connection.is_final(response, attempt):
                    return self._connection.checked(response, first)
                after = response.headers.get("retry-after")
            await asyncio.sleep(wire.pause(attempt, after))
        raise AssertionError  # the last attempt returns or raises


async def _batches(
    documents: Iterable[str | Document] | AsyncIterable[str | Document], size: int
) -> AsyncIterator[list[Document]]:
    """Documents in batches; those of an asynchronous source as they come."""
    if isinstance(documents, AsyncIterable):
        batcher = wire.RequestBatches(size)
        async for document in documents:
            if batch := batcher.add(document):
                yield batch
        if rest := batcher.rest():
            yield rest
        return
    for batch in wire.batches(documents, size):
        yield batch


async def _joined(
    documents: list[Document], task: asyncio.Task[list[list[Phrase]]]
) -> list[tuple[Document, list[Phrase]]]:
    return list(zip(documents, await task, strict=True))
