"""An application as a process: signals, sockets and the log."""

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
# seconds after which a thread that computes lets another one run: with Python's own 5 ms, each time that the event
# loop touches a socket it would wait so long
SWITCH = 0.0005


@dataclass(frozen=True)
class Address:
    """Where a server listens."""

    host: str
    port: int


def bind(address: Address) -> socket.socket:
    """Take the address, or say why it cannot be had."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        raise KeyseqError(f"{address.host}:{address.port}: cannot be listened at ({reason}); see --port") from None
    return listener


def serve(app: ASGIApp, listener: socket.socket, limits: Limits) -> None:
    """Serve until a signal comes; then finish what there is, and leave with exit code 0."""
    _log_to_stderr()
    sys.setswitchinterval(SWITCH)
    gc.freeze()  # what has been loaded lives as long as the server: nothing of it need be looked through again
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
    for number in (signal.SIGINT, signal.SIGTERM):  # uvicorn raises a signal once more when it has stopped gracefully
        signal.signal(number, _leave)
    listener.listen(BACKLOG)  # whoever comes from now on is answered
    uvicorn.Server(config).run([listener])


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def _log_to_stderr() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
