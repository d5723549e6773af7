"""Strict parsing of JSON bodies, and validation errors in one sentence."""

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

from keyseq.errors import nearest, shown
from keyseq.serving.refusals import Refusal
from keyseq.serving.requests import (
    NO_TEXT,
    TAGS,
    FeedbackRequest,
    ManyDocuments,
    OneDocument,
    ReadRequest,
    StreamRequest,
    TagRequest,
    Text,
)

JSON = "application/json"
# the fields of endpoints by the ends of their paths; others take documents
FIELDS: dict[str, tuple[type[BaseModel], ...]] = {
    "/stream": (StreamRequest,),
    "/documents": (ReadRequest,),
    "/library": (TagRequest,),
    "/feedback": (FeedbackRequest,),
}


class StrictRequest(Request):
    """A request whose JSON may not have NaN, lone surrogates or unbounded nesting."""

    async def json(self) -> Any:  # whatever JSON holds
        """The body's JSON."""
        return parse(await self.body(), "body")


def content_kind(request: Request) -> str:
    """The type of a request's body, without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


class StrictRoute(APIRoute):
    """A route whose endpoint, if it takes a model as its body, accepts JSON only."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap the endpoint."""
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            if self.body_field is not None and content_kind(request) != JSON:
                raise Refusal(415, f"send the request as JSON, with the header Content-Type: {JSON}", "Content-Type")
            return await inner(StrictRequest(request.scope, request.receive))

        return handle


def parse(content: bytes, place: str) -> Any:  # whatever JSON holds
    """The value of JSON, or a refusal."""
    try:
        return from_json(content, allow_inf_nan=False)
    except ValueError as error:
        raise Refusal(400, f"the {place} is not valid JSON: {error}", place) from None


def parse_text(line: bytes) -> Text:
    """The document in a line of a stream, or a refusal."""
    try:
        return Text.model_validate(parse(line, "line"))
    except ValidationError as error:
        first = error.errors()[0]
        raise _refusal(first, "line", first["loc"], Text.model_fields) from None


def refusal(error: RequestValidationError, path: str) -> Refusal:
    """The first validation error of a request to a path, as a sentence."""
    first = error.errors()[0]
    where, *parts = [part for part in first["loc"] if part not in TAGS]
    return _refusal(first, str(where), parts, Text.model_fields if len(parts) > 1 else _known(path))


def _refusal(first: Mapping[str, Any], where: str, parts: Sequence[str | int], known: Collection[str]) -> Refusal:
    if first["type"] == NO_TEXT:
        parts = [*parts, "text"]
    place = _place(parts) or where
    return Refusal(422, _sentence(first, place, known), place)


def _known(path: str) -> Collection[str]:
    """The names of the fields of an endpoint."""
    kinds = next((kinds for end, kinds in FIELDS.items() if path.endswith(end)), (OneDocument, ManyDocuments))
    return {name: field for kind in kinds for name, field in kind.model_fields.items()}


def _place(parts: Sequence[str | int]) -> str:
    """The path of the field: `documents[3].text`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix(".")[:200]


def _sentence(first: Mapping[str, Any], place: str, known: Collection[str]) -> str:
    match first["type"]:
        case "missing":
            return f"{place} is missing"
        case "extra_forbidden" if place in known:  # of the other kind of request
            return f"{shown(place)} is a field of a request without documents; send it in a document, or without them"
        case "too_short":
            return f"{place} is empty; send at least one"
        case "extra_forbidden":
            return f"{shown(place)} is not a known field{nearest(str(first['loc'][-1])[:80], known)}"
        case "model_attributes_type" | "model_type" | "dict_type":
            return f"{place} must be a JSON object"
    message = first["msg"].removeprefix("Input ").removeprefix("Value error, ")
    return f"{place} {message[:1].lower()}{message[1:]}"
