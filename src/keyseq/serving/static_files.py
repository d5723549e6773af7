"""The static files of the web page, read once."""

import hashlib
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/docs": ("docs.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
SCRIPT = "text/javascript; charset=utf-8"


class PageFile:
    """A static file with its ETag."""

    def __init__(self, name: str, kind: str) -> None:
        self._content = files("keyseq.serving").joinpath("page", name).read_bytes()
        self._kind = kind
        self._tag = f'"{hashlib.sha256(self._content).hexdigest()[:32]}"'

    async def send(self, request: Request) -> Response:
        """Send the file, or 304 if the browser has it."""
        headers = {"ETag": self._tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == self._tag:
            return Response(status_code=304, headers=headers)
        return Response(self._content, headers=headers, media_type=self._kind)


def page_files() -> dict[str, PageFile]:
    """The files by the paths they are served under."""
    found = {path: PageFile(*file) for path, file in FILES.items()}
    for script in files("keyseq.serving").joinpath("page").iterdir():
        if script.name.endswith(".js"):
            found[f"/{script.name}"] = PageFile(script.name, SCRIPT)
    return found
