"""The one shape of every answer that is no success."""

import json
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.responses import Response

RETRY_AFTER = "1"  # seconds: a queue is worked off in about that time
CLOSE = {"Connection": "close"}


class Refusal(HTTPException):
    """A request that is not served: the status, one sentence, and the place of the request that it is about."""

    def __init__(
        self, status: int, message: str, place: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status, message, dict(headers or {}))
        self.place = place


def overloaded(message: str) -> Refusal:
    """A refusal that asks to come again soon."""
    return Refusal(503, f"{message}; try again in a moment", headers={"Retry-After": RETRY_AFTER})


def answer(error: HTTPException) -> Response:
    """A refusal as it is sent."""
    body = error_body(str(error.detail), getattr(error, "place", None))
    return Response(body, error.status_code, dict(error.headers or {}), media_type="application/json")


def error_body(message: str, place: str | None = None) -> bytes:
    """The JSON of an error."""
    return json.dumps({"error": {"message": message, "place": place}}, ensure_ascii=False).encode()
