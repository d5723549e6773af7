"""HTTP/1.1 by uvicorn and h11, with limits that uvicorn lacks: slow clients and too many connections."""

import asyncio
from collections import Counter
from typing import Any, ClassVar

import h11
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from keyseq.serving.refusals import CLOSE, RETRY_AFTER, answer, error_body, overloaded
from keyseq.serving.request_heads import HEADERS
from keyseq.serving.server_settings import Limits

HEALTH = ("/healthz", "/readyz")
SPARED = 64  # connections beyond the limits, for these alone: a server that is busy is not dead
HASTE = 2.0  # seconds that such a connection lasts
MANY = 1_000  # chunks of a body, which are as much work as those of ordinary sizes
SMALL = 16  # bytes of a chunk, on average
_LIMIT = "this server has reached its limit of connections"
_FULL = error_body(f"{_LIMIT}; try again in a moment")
_REFUSED = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\n"
    + f"Retry-After: {RETRY_AFTER}\r\nContent-Length: {len(_FULL)}\r\n\r\n".encode()
    + _FULL
)


class BoundedProtocol(H11Protocol):
    """A connection, limited in number, with timeouts for receiving headers and for the client to read the answer.

    A connection beyond the limits is answered about the server's health only.
    """

    limits: ClassVar[Limits]
    clients: ClassVar[Counter[str]]  # the connections of each address
    spared: ClassVar[set["BoundedProtocol"]]  # connections beyond the limits

    def __init__(self, *arguments: Any, **named: Any) -> None:  # uvicorn's, passed through
        super().__init__(*arguments, **named)
        self.conn = self._chunks = _ChunksCounted(h11.SERVER, self.config.h11_max_incomplete_event_size or HEADERS)
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or refuse it if there are too many."""
        super().connection_made(transport)
        self._client = str((transport.get_extra_info("peername") or [""])[0])
        self.clients[self._client] += 1
        ordinary = len(self.connections) - len(self.spared)
        if ordinary <= self.limits.connections and self.clients[self._client] <= self.limits.client:
            self._arm(self.limits.arrival)
        elif len(self.spared) < SPARED:
            self.spared.add(self)
            self.app = _Health(self.app)
            self._arm(min(HASTE, self.limits.arrival))
        else:
            transport.write(_REFUSED)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._disarm()
        self._disarm_unread()
        self.spared.discard(self)
        self.clients[self._client] -= 1
        if not self.clients[self._client]:
            del self.clients[self._client]
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the client to read, but not forever: what it streams to us would wait as long."""
        super().pause_writing()
        self._disarm_unread()
        self._unread = self.loop.call_later(self.limits.arrival, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        self._disarm_unread()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Read data; a path that is not ASCII, which h11 accepts and uvicorn fails on, is a bad request."""
        if self.transport.is_closing():
            return
        try:
            super().data_received(data)
        except UnicodeDecodeError:
            self.send_400_response("the path must be ASCII")

    def on_response_complete(self) -> None:
        """Start the timeout for the next request."""
        super().on_response_complete()
        self._arm(self.limits.arrival)

    def send_400_response(self, msg: str) -> None:
        """Refuse invalid HTTP, in the format of all errors."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = error_body(self._chunks.fault or msg)
            headers = [
                ("content-type", "application/json"),
                ("content-length", str(len(body))),
                ("connection", "close"),
            ]
            for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _arm(self, seconds: float) -> None:
        self._disarm()
        self._deadline = self.loop.call_later(seconds, self._too_slow)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _disarm_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _too_slow(self) -> None:
        """Close a connection without a request in progress, and discard an answer that the client does not read."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()


class _ChunksCounted(h11.Connection):
    """Refuses a body in very many very small chunks, which take a server longer than a client."""

    fault = ""
    _count = _size = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next part of what was received."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._count = self._size = 0
        elif isinstance(event, h11.Data):
            self._count, self._size = self._count + event.chunk_end, self._size + len(event.data)
            if self._count > MANY and self._size < SMALL * self._count:
                self.fault = f"the body comes in chunks of less than {SMALL} bytes; send larger ones"
                raise h11.RemoteProtocolError(self.fault)
        return event


class _Health:
    """An application that answers about its health, once on a connection, and refuses all else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def last(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
            await send(message)

        if scope["type"] == "http" and scope["path"].endswith(HEALTH):
            await self._app(scope, receive, last)
        else:
            refusal = overloaded(_LIMIT)
            refusal.headers = {**(refusal.headers or {}), **CLOSE}
            await answer(refusal)(scope, receive, send)
