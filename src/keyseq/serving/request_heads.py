"""What the head of a request may be: neither long nor of two minds about the length of its body."""

from starlette.types import ASGIApp, Receive, Scope, Send

from keyseq.serving.refusals import CLOSE, Refusal, answer

HEADERS = 32 * 1024  # bytes of the first line and the headers of a request


class RequestHeads:
    """Middleware that refuses what the parser of HTTP lets through."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        refusal = _refusal(scope) if scope["type"] == "http" else None
        await (answer(refusal) if refusal else self._app)(scope, receive, send)


def _refusal(scope: Scope) -> Refusal | None:
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    size = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    # the parser limits what it waits for, not what arrives at once
    if size + sum(len(name) + len(value) + 4 for name, value in headers) > HEADERS:
        return Refusal(431, f"the headers are longer than {HEADERS:,} bytes", headers=CLOSE)
    names = {name for name, _ in headers}
    if {b"content-length", b"transfer-encoding"} <= names:  # a proxy before this server may read another body
        return Refusal(400, "a body has either Content-Length or Transfer-Encoding, not both", headers=CLOSE)
    if b"transfer-encoding" in names and scope["http_version"] == "1.0":  # as does one that knows no HTTP/1.1
        return Refusal(400, "HTTP/1.0 has no Transfer-Encoding; send the Content-Length", headers=CLOSE)
    return None
