"""Run the application in a process: signals, sockets and logging."""

import gc
import logging
import signal
import socket
import sys
from dataclasses import dataclass
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from keyseq.errors import KeyseqError
from keyseq.serving.access_log import JsonLines
from keyseq.serving.protocol import BoundedProtocol
from keyseq.serving.server_settings import Limits

HEADERS = 32 * 1024  # bytes of a request's headers
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
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        raise KeyseqError(
            f"cannot listen on {address.host}:{address.port} ({reason}); choose another --host or --port"
        ) from None
    return listener


def serve(app: ASGIApp, listener: socket.socket, limits: Limits) -> None:
    """Serve until a signal arrives; then finish pending requests, and exit with code 0."""
    _log_to_stderr()
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # loaded systems live as long as the server, so the garbage collector need not scan them
    protocol = type("Protocol", (BoundedProtocol,), {"arrival": limits.arrival, "most": limits.connections})
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
    uvicorn.Server(config).run([listener])


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
