"""The path prefix under which a reverse proxy offers the server."""

import re

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from keyseq.errors import KeyseqError

_FIT = re.compile(r"(/[A-Za-z0-9._~-]+)+")


class RootPath:
    """Middleware that takes the prefix off, where the proxy left it on; everything behind it sees bare paths.

    The page and the list of endpoints use relative addresses, so that they work under any prefix, with or without this.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app, self._root_path = app, root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        path = scope.get("path", "")
        if path == self._root_path:  # relative addresses would miss the last part
            await RedirectResponse(f"{self._root_path}/")(scope, receive, send)
            return
        if path.startswith(f"{self._root_path}/"):
            bare = path.removeprefix(self._root_path)
            scope = {**scope, "path": bare, "raw_path": scope["raw_path"].removeprefix(self._root_path.encode())}
        await self._app(scope, receive, send)


def checked_root_path(given: str) -> str:
    """The prefix with one slash at its beginning and none at its end; empty for the root."""
    path = f"/{given.strip('/')}" if given.strip("/") else ""
    if path and (not _FIT.fullmatch(path) or ".." in path):
        raise KeyseqError(f"--root-path {given} is not a path; write one such as /keyseq")
    return path
