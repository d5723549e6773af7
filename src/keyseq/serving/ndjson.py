"""Streams of documents as NDJSON: one JSON object per line, in and out, any number of them in bounded memory."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractContextManager
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from keyseq.serving.refusals import error_body

NDJSON = "application/x-ndjson"
KINDS = (NDJSON, "application/ndjson", "application/jsonl")
Answer = Callable[[int, bytes], Coroutine[Any, Any, bytes]]


class ClientGoneError(Exception):
    """The client disconnected before its stream was complete."""


class DocumentStream(Response):
    """A response that answers each line of the request with a line, in order, while further lines arrive.

    At most `window` lines, and about `largest` bytes of them, are in memory: then no more of the request is read until
    the client has read answers. A line that is longer than `largest` bytes is cut one byte after that.
    """

    media_type = NDJSON

    def __init__(
        self,
        answer: Answer,
        counted: Callable[[], AbstractContextManager[None]],
        *,
        window: int,
        largest: int,
        seconds: float,
    ) -> None:
        super().__init__(media_type=NDJSON)
        del self.headers["content-length"]
        self._counted = counted
        self._answer, self._largest, self._seconds = answer, largest, seconds
        self._pending: asyncio.Queue[tuple[int, asyncio.Task[bytes]] | bytes | None] = asyncio.Queue(window)
        self._held, self._freed = 0, asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the stream."""
        del scope  # whatever it is, the lines are in its body
        try:
            with self._counted():
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._read(receive, group))
                    group.create_task(self._write(send))
        except* ClientGoneError:
            pass

    async def _read(self, receive: Receive, group: asyncio.TaskGroup) -> None:
        """Begin the answer of each line, as far as there is room."""
        number = 0
        try:
            async with contextlib.aclosing(arriving_lines(receive, self._largest, self._seconds)) as lines:
                async for line in lines:
                    number += 1
                    if line.strip():
                        await self._room(len(line))
                        await self._pending.put((len(line), group.create_task(self._answer(number, line))))
        except TimeoutError:
            message = f"nothing arrived for {self._seconds:g} seconds after line {number}"
            await self._pending.put(error_body(message) + b"\n")
        await self._pending.put(None)

    async def _room(self, size: int) -> None:
        while self._held and self._held + size > self._largest:
            self._freed.clear()
            await self._freed.wait()
        self._held += size

    async def _write(self, send: Send) -> None:
        """Send the answers in the order of their lines; the status once there is one, since clients may wait for it."""
        begun = False
        while True:
            item = await self._pending.get()
            size, line = (item[0], await item[1]) if isinstance(item, tuple) else (0, item or b"")
            if not begun:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                begun = True
            await send({"type": "http.response.body", "body": line, "more_body": item is not None})
            if item is None:
                return
            self._held -= size
            self._freed.set()


async def arriving_lines(receive: Receive, largest: int, seconds: float) -> AsyncGenerator[bytes]:
    """The lines of a body while it arrives, each cut after `largest` + 1 bytes; TimeoutError if nothing arrives."""
    line, more = bytearray(), True
    while more:
        async with asyncio.timeout(seconds):
            message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        more = message.get("more_body", False)
        for number, part in enumerate(message.get("body", b"").split(b"\n")):
            if number:
                yield bytes(line)
                line.clear()
            line += part[: largest + 1 - len(line)]
    if line:
        yield bytes(line)
