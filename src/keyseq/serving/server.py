"""Run the application in a process: signals, sockets and logging."""

import asyncio
import errno
import gc
import logging
import signal
import socket
import sys
import threading
from collections import Counter
from dataclasses import dataclass
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from keyseq.errors import KeyseqError
from keyseq.serving.access_log import JsonLines
from keyseq.serving.protocol import BoundedProtocol
from keyseq.serving.request_heads import HEADERS
from keyseq.serving.server_settings import Limits

BACKLOG = 1024  # connections that wait to be accepted
# seconds after which a computing thread releases the GIL: with Python's default of 5 ms, the event loop would wait that
# long at every socket operation
SWITCH = 0.0005


@dataclass(frozen=True)
class Address:
    """The host and port to listen on."""

    host: str
    port: int


def bind(address: Address) -> socket.socket:
    """Bind the address, or explain why that is impossible."""
    if not address.host:  # which would be every interface
        raise KeyseqError("--host is empty; it is an address of this machine, such as 127.0.0.1 or 0.0.0.0")
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
    except (OSError, UnicodeError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise KeyseqError(
            f"cannot listen on {address.host}:{address.port} ({reason}); {_fix(error, address)}"
        ) from None
    return listener


def _fix(error: Exception, address: Address) -> str:
    if isinstance(error, socket.gaierror | UnicodeError):
        return "--host is an address of this machine, such as 127.0.0.1 or 0.0.0.0"
    if isinstance(error, OSError) and error.errno == errno.EADDRNOTAVAIL:
        return f"{address.host} is not an address of this machine; choose another --host, such as 127.0.0.1 or 0.0.0.0"
    if isinstance(error, PermissionError):
        return "ports below 1024 are the administrator's; choose another --port"
    return "choose another --port; 0 is any that is free"


class DrainingServer(uvicorn.Server):
    """A server that, asked to stop, keeps serving for a while: first /readyz answers 503, then the port is closed.

    A load balancer that asks /readyz has stopped sending requests by then. A second signal ends the wait.
    """

    def __init__(self, config: uvicorn.Config, seconds: float, stopping: threading.Event) -> None:
        super().__init__(config)
        self._seconds, self._stopping = seconds, stopping
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and remember the event loop, which signals interrupt."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop."""
        waiting = self._seconds and self._loop is not None and not self._stopping.is_set()
        self._stopping.set()
        if not waiting or self._loop is None:
            super().handle_exit(sig, frame)
            return
        logging.getLogger(__name__).info("stopping in %g seconds", self._seconds)
        self.config.encoded_headers.append((b"connection", b"close"))  # clients reconnect elsewhere
        self._loop.call_soon_threadsafe(self._loop.call_later, self._seconds, super().handle_exit, sig, frame)


def serve(app: ASGIApp, listener: socket.socket, limits: Limits, stopping: threading.Event | None = None) -> None:
    """Serve until a signal arrives; then drain, finish pending requests, and exit with code 0."""
    _log_to_stderr()
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # loaded systems live as long as the server, so the garbage collector need not scan them
    protocol = type("Protocol", (BoundedProtocol,), {"limits": limits, "clients": Counter(), "spared": set()})
    config = uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=limits.idle,
        timeout_graceful_shutdown=round(limits.seconds + 1),
        h11_max_incomplete_event_size=HEADERS,
    )
    for number in (signal.SIGINT, signal.SIGTERM):  # uvicorn re-raises the signal after a graceful stop
        signal.signal(number, _leave)
    listener.listen(BACKLOG)  # connections are accepted from now on
    DrainingServer(config, limits.drain, stopping or threading.Event()).run([listener])


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
