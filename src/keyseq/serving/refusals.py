"""The format of every error response."""

import json
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.responses import Response

RETRY_AFTER = "1"  # seconds: about the time to process the queue
CLOSE = {"Connection": "close"}


class Refusal(HTTPException):
    """An error response: the status, one sentence, and the part of the request it concerns."""

    def __init__(
        self, status: int, message: str, place: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status, message, dict(headers or {}))
        self.place = place


def overloaded(message: str) -> Refusal:
    """A refusal that asks the client to retry soon."""
    return Refusal(503, f"{message}; try again in a moment", headers={"Retry-After": RETRY_AFTER})


def answer(error: HTTPException) -> Response:
    """The response of a refusal."""
    body = error_body(str(error.detail), getattr(error, "place", None))
    return Response(body, error.status_code, dict(error.headers or {}), media_type="application/json")


def error_body(message: str, place: str | None = None) -> bytes:
    """The JSON body of an error."""
    return json.dumps(error_fields(message, place), ensure_ascii=False).encode()


def error_fields(message: str, place: str | None = None) -> dict[str, dict[str, str | None]]:
    """The fields of an error."""
    return {"error": {"message": message, "place": place}}
