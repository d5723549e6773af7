"""The access log: every request gets an id, a line in the log and a count in the metrics. Texts are never logged."""

import json
import logging
import re
import time
import uuid
from collections.abc import Collection
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keyseq.serving.prometheus import Metrics

ACCESS = logging.getLogger("keyseq.access")
GONE = 499  # nginx's status for a client that closed the connection
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE"})
_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class AccessLog:
    """Middleware that gives requests an id, logs and counts them."""

    def __init__(self, app: ASGIApp, metrics: Metrics, paths: Collection[str]) -> None:
        self._app, self._metrics, self._paths = app, metrics, frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, size = time.perf_counter(), GONE, 0
        request_id = _request_id(scope)
        scope.setdefault("state", {})["request_id"] = request_id

        async def noted(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", request_id.encode())]
            size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            self._note(scope, status, size, time.perf_counter() - started)

    def _note(self, scope: Scope, status: int, size: int, seconds: float) -> None:
        # paths and methods that clients invent must not become labels: labels are kept forever
        path = scope["path"] if scope["path"] in self._paths else "other"
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.requests.labels(method, path, status).inc()
        self._metrics.seconds.labels(path).observe(seconds)
        ACCESS.info(
            "request",
            extra={
                "fields": {
                    "id": scope["state"]["request_id"],
                    "client": (scope.get("client") or [None])[0],
                    "method": method,
                    "path": scope["path"][:200],
                    "status": status,
                    "bytes": size,
                    "ms": round(1000 * seconds, 1),
                    **scope["state"].get("log", {}),
                }
            },
        )


def _request_id(scope: Scope) -> str:
    """The id from the client, if it is safe to log, or a new one."""
    given: bytes = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    return given.decode() if _ID.fullmatch(given) else uuid.uuid4().hex


class JsonLines(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)
