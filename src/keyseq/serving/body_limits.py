"""Limits on request bodies: size, time to arrive, and total memory; bodies are read whole before any work."""

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keyseq.serving.refusals import CLOSE, Refusal, answer, overloaded
from keyseq.serving.server_settings import MIB, Limits

DRAINED = 8  # times the limit is read and discarded, so that the client gets the refusal
WITHOUT_BODY = ("GET", "HEAD")


class BodyLimits:
    """Middleware that passes on whole bodies within the limits; where there is no `largest`, bodies are streams."""

    def __init__(self, app: ASGIApp, limits: Limits, largest: Callable[[str], int | None]) -> None:
        self._app, self._limits, self._largest = app, limits, largest
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        largest = None if scope["type"] != "http" or scope["method"] in WITHOUT_BODY else self._largest(scope["path"])
        if largest is None:
            await self._app(scope, receive, send)
            return
        body = bytearray()
        try:
            await self._read(body, receive, largest)
            await self._app(scope, _replayed(bytes(body), receive), send)
        except _Gone:
            return
        except Refusal as refusal:
            await answer(refusal)(scope, receive, send)
        finally:
            self._held -= len(body)

    async def _read(self, body: bytearray, receive: Receive, largest: int) -> None:
        try:
            async with asyncio.timeout(self._limits.arrival):
                length = await self._fill(body, receive, largest)
        except TimeoutError:
            message = f"the body did not arrive within {self._limits.arrival:g} seconds"
            raise Refusal(408, message, headers=CLOSE) from None
        if length > largest:
            raise Refusal(413, f"the body is larger than {_size(largest)}, the limit of this server", headers=CLOSE)

    async def _fill(self, body: bytearray, receive: Receive, largest: int) -> int:
        """Collect the body up to `largest` bytes; return its full length."""
        length = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _Gone
            chunk = message.get("body", b"")
            length += len(chunk)
            if length <= largest:
                self._hold(len(chunk))
                body += chunk
            if not message.get("more_body", False) or length > DRAINED * largest:
                return length

    def _hold(self, size: int) -> None:
        if self._held + size > self._limits.held:
            refusal = overloaded("the request bodies in memory have reached the limit of this server")
            refusal.headers = {**(refusal.headers or {}), **CLOSE}
            raise refusal
        self._held += size


class _Gone(Exception):  # noqa: N818  # not an error: there is no client to report to
    """The client disconnected before its request was complete."""


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A receiver that gives the body once, and then the messages after it, such as the disconnect."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _size(count: int) -> str:
    return f"{count / MIB:g} MiB" if count >= MIB else f"{count:,} bytes"
