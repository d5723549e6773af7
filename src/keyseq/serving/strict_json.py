"""Strict parsing of JSON bodies, and validation errors in one sentence."""

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

from keyseq.errors import nearest, shown
from keyseq.serving.refusals import Refusal
from keyseq.serving.requests import TAGS, ManyDocuments, OneDocument, ReadRequest, Text

JSON = "application/json"


class StrictRequest(Request):
    """A request whose JSON may not have NaN, lone surrogates or unbounded nesting."""

    async def json(self) -> Any:  # whatever JSON holds
        """The body's JSON."""
        try:
            return from_json(await self.body(), allow_inf_nan=False)
        except ValueError as error:
            raise Refusal(400, f"the body is not valid JSON: {error}", "body") from None


class StrictRoute(APIRoute):
    """A route that accepts JSON bodies only."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap the endpoint."""
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            if self.body_field is not None and kind != JSON:
                raise Refusal(415, f"send the request as JSON, with the header Content-Type: {JSON}", "Content-Type")
            return await inner(StrictRequest(request.scope, request.receive))

        return handle


def refusal(error: RequestValidationError) -> Refusal:
    """The first validation error of a request, as a sentence."""
    first = error.errors()[0]
    where, *parts = [part for part in first["loc"] if part not in TAGS]
    place = _place(parts) or str(where)
    return Refusal(422, _sentence(first, place, _known(str(where), parts)), place)


def _known(where: str, parts: Sequence[str | int]) -> Collection[str]:
    """The names that a field could have had."""
    if where == "query":
        return ReadRequest.model_fields
    return Text.model_fields if len(parts) > 1 else {**OneDocument.model_fields, **ManyDocuments.model_fields}


def _place(parts: Sequence[str | int]) -> str:
    """The path of the field: `documents[3].text`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts).removeprefix(".")[:200]


def _sentence(first: Mapping[str, Any], place: str, known: Collection[str]) -> str:
    match first["type"]:
        case "missing":
            return f"{place} is missing"
        case "extra_forbidden":
            return f"{shown(place)} is not a known field{nearest(str(first['loc'][-1])[:80], known)}"
        case "model_attributes_type" | "model_type" | "dict_type":
            return f"{place} must be a JSON object"
    message = first["msg"].removeprefix("Input ").removeprefix("Value error, ")
    return f"{place} {message[:1].lower()}{message[1:]}"
