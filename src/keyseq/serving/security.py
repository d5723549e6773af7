"""Authentication, host checks and security headers."""

import hmac
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from keyseq.errors import KeyseqError, shown
from keyseq.files import open_binary
from keyseq.serving.refusals import Refusal, answer

_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
SHORTEST = 16  # characters of a token: a shorter one could be guessed
LOOPBACK = ("localhost", "127.0.0.1", "::1")
ANY = "*"


class SecureHeaders:
    """Middleware that adds security headers to all answers, and forbids caching where needed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *HEADERS]
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
            await send(message)

        await self._app(scope, receive, secured)


class Authorised:
    """Middleware that requires a bearer token on protected paths."""

    def __init__(self, app: ASGIApp, token: str, guarded: Callable[[str], bool]) -> None:
        self._app, self._token, self._guarded = app, token.encode(), guarded

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        needed = scope["type"] == "http" and scope["method"] != "OPTIONS" and self._guarded(scope["path"])
        if needed and not self._authorised(scope):
            refusal = Refusal(401, "this server requires a token; send it as Authorization: Bearer TOKEN")
            refusal.headers = {"WWW-Authenticate": "Bearer"}
            await answer(refusal)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _authorised(self, scope: Scope) -> bool:
        given: bytes = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        scheme, _, token = given.partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


class NamedHosts:
    """Middleware that answers only requests for known host names.

    It prevents DNS rebinding: a foreign page whose name is later resolved to this machine could read the answers.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] == "http":
            host = _host(scope)
            if host and host not in self._hosts:
                message = f"unknown host name '{shown(host)}'; add it with --allow-host"
                await answer(Refusal(421, message, "Host"))(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _host(scope: Scope) -> str:
    """The host name of a request, without the port; empty in HTTP/1.0, which no browser uses."""
    given: bytes = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return _bare(given.decode("latin-1"))


def _bare(host: str) -> str:
    name, _, port = host.strip().lower().rpartition(":")
    bare = name if name and (port.isdecimal() or not port) and not name.endswith(":") else host.strip().lower()
    return bare.removeprefix("[").removesuffix("]").rstrip(".")


def known_hosts(bound: str, allowed: Iterable[str] = ()) -> tuple[str, ...]:
    """The host names that a server answers to; empty means any, if it listens beyond loopback without --allow-host."""
    names = [_bare(host) for host in allowed]
    if ANY in names or (not names and not is_loopback(bound)):
        return ()
    return tuple(dict.fromkeys((*LOOPBACK, bound, *names)))


def is_loopback(host: str) -> bool:
    """Whether an address is a loopback address."""
    return host in LOOPBACK or host.startswith("127.")


def read_token(path: Path) -> str:
    """The token in a file's first line."""
    with open_binary(path) as file:
        token = file.read(4096).decode("utf-8", "replace").strip()
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        raise KeyseqError(
            f"{path}: a token must be one word of at least {SHORTEST} ASCII characters; "
            "generate one with python -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    return token
