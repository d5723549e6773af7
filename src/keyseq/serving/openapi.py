"""The OpenAPI description: endpoints with examples, the shape of errors, and the bearer token."""

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from starlette.responses import Response

from keyseq.serving.ndjson import NDJSON
from keyseq.serving.refusals import error_fields
from keyseq.serving.requests import Text
from keyseq.serving.responses import ErrorAnswer, KeyphraseAnswer, ReadAnswer, StreamedKeyphrases
from keyseq.serving.service import Service
from keyseq.serving.strict_json import JSON
from keyseq.serving.uploads import SUFFIXES, TAGGED

KEYPHRASES, STREAM, DOCUMENTS, LIBRARY = "/v1/keyphrases", "/v1/keyphrases/stream", "/v1/documents", "/v1/library"
FEEDBACK = "/v1/feedback"
SYSTEMS, METRICS, HEALTH, READY, OPENAPI = "/v1/systems", "/metrics", "/healthz", "/readyz", "/openapi.json"
TOKEN = "token"  # noqa: S105  # the name of the scheme
BINARY = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}

TEXT = "Delivery robots share narrow sidewalks with pedestrians."
PHRASE = {"text": "Delivery robots", "score": 0.71, "present": True, "spans": [[0, 15]], "title_spans": []}
ASKED = {
    "text": {"summary": "a text", "value": {"text": TEXT, "top": 5}},
    "title": {"summary": "a title alone", "value": {"title": "Delivery robots on narrow sidewalks"}},
    "documents": {
        "summary": "several documents, with the evidence for each keyphrase",
        "value": {
            "documents": [{"id": "a", "title": "Delivery robots", "text": TEXT}, {"id": "b", "text": "…"}],
            "system": "scholar",
            "explain": True,
        },
    },
}
ANSWERED = {"system": "scholar", "version": "0.2.0", "documents": [{"id": "1", "keyphrases": [PHRASE]}]}
LINES = f'{{"id": "a", "text": "{TEXT}"}}\n{{"id": "b", "title": "Voice recognition for social robots"}}\n'
STREAMED = (
    '{"id": "a", "keyphrases": [{"text": "Delivery robots", "score": 0.71, "present": true, "spans": [[0, 15]], '
    '"title_spans": []}]}\n{"line": 2, "error": {"message": "text is empty; send a text, a title or both", '
    '"place": "text"}}\n'
)
MESSAGES = {
    400: ("invalid JSON", "the body is not valid JSON: EOF while parsing an object at line 1 column 1", "body"),
    401: ("missing or wrong token", "this server requires a token; send it as Authorization: Bearer TOKEN", None),
    404: ("the server does not learn", "this server does not learn; start it with --learn DIR", None),
    408: ("too slow", "prediction took over 30 seconds; send shorter or fewer texts", None),
    413: ("too large", "text has 200,001 characters; the limit is 200,000", "text"),
    415: ("wrong content type", f"send the request as JSON, with the header Content-Type: {JSON}", "Content-Type"),
    422: ("invalid request", "'tpo' is not a known field; did you mean 'top'?", "tpo"),
    431: ("headers too large", "the headers are longer than 32,768 bytes", None),
    503: ("overloaded, or about to stop", "the queue of this server is full; try again in a moment", None),
}
REFERENCE = "#/components/schemas/{model}"
RETRY = {"Retry-After": {"description": "Seconds to wait before the next attempt.", "schema": {"type": "integer"}}}


def add_endpoints(app: FastAPI, service: Service, *, authorised: bool) -> None:
    """Register the endpoints with their descriptions."""
    told = _Errors(authorised=authorised)
    app.post(
        KEYPHRASES,
        response_model=KeyphraseAnswer,
        responses={200: _shown(JSON, ANSWERED), **told(400, 408, 413, 415, 422, 431, 503)},
        openapi_extra={"requestBody": {"content": {JSON: {"examples": ASKED}}}, **told.security},
    )(service.keyphrases)
    app.post(
        STREAM,
        response_class=Response,
        responses={200: _shown(NDJSON, STREAMED, _reference(StreamedKeyphrases)), **told(415, 413, 422, 431, 503)},
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {NDJSON: {"schema": _reference(Text), "example": LINES}},
            },
            **told.security,
        },
        description=(
            "Find the keyphrases of any number of documents. The body holds one document per line, as JSON. The "
            "answer holds a line for each, in order and while further ones arrive: its keyphrases, or an error. "
            "Settings are in the query. Read answers while you send: the server stops reading until you do."
        ),
    )(service.stream)
    app.post(
        DOCUMENTS,
        response_model=ReadAnswer,
        responses=told(408, 413, 422, 431, 503),
        openapi_extra={"requestBody": {"required": True, "content": BINARY}, **told.security},
        description=f"Read the documents of a file, sent as the body. Accepted: {', '.join(SUFFIXES)}.",
    )(service.documents)
    app.post(
        LIBRARY,
        response_class=Response,
        responses={200: {"description": "the library", "content": BINARY}, **told(400, 408, 413, 415, 422, 431, 503)},
        openapi_extra=told.security,
        description=(
            "Add keyphrases to the documents of a library, and return the file; everything else in it stays as it is. "
            f"Accepted: {', '.join(TAGGED)}."
        ),
    )(service.library)
    app.post(FEEDBACK, responses=told(400, 404, 413, 415, 422, 431, 503), openapi_extra=told.security)(service.feedback)
    app.get(SYSTEMS, responses=told(), openapi_extra=told.security)(service.systems)
    app.get(HEALTH)(service.health)
    app.get(READY, responses=_Errors(authorised=False)(503))(service.ready)
    app.get(
        METRICS,
        responses={200: {"content": {"text/plain": {}}}, **told()},
        response_class=Response,
        openapi_extra=told.security,
    )(service.show_metrics)


class _Errors:
    """The errors of an endpoint, each with an example; 401 only if the server requires a token."""

    def __init__(self, *, authorised: bool) -> None:
        self._always = (401,) if authorised else ()
        self.security: dict[str, Any] = {"security": [{TOKEN: []}]} if authorised else {}

    def __call__(self, *statuses: int) -> dict[int | str, dict[str, Any]]:
        return {status: _error(status) for status in sorted((*self._always, *statuses))}


def _error(status: int) -> dict[str, Any]:
    headers = {"headers": RETRY} if status == 503 else {}
    return {"model": ErrorAnswer, "description": MESSAGES[status][0], **headers}


def _shown(kind: str, example: Any, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"content": {kind: {"example": example, **({"schema": schema} if schema else {})}}}


def _reference(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": REFERENCE.format(model=model.__name__)}


def described(app: FastAPI, root_path: str) -> Callable[[], dict[str, Any]]:
    """The function that makes the description, once: what FastAPI collects, the token, and the prefix of a proxy."""

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
            about = "Required if the server was started with --token-file."
            schema["components"]["securitySchemes"] = {
                TOKEN: {"type": "http", "scheme": "bearer", "description": about}
            }
            line = StreamedKeyphrases.model_json_schema(ref_template=REFERENCE)
            schema["components"]["schemas"] |= {**line.pop("$defs"), StreamedKeyphrases.__name__: line}
            _add_error_examples(schema)
            if root_path:
                schema["servers"] = [{"url": root_path}]
            app.openapi_schema = schema
        return app.openapi_schema

    return describe


def _add_error_examples(schema: dict[str, Any]) -> None:
    """Give each error an example; here, since FastAPI drops what is null."""
    for methods in schema["paths"].values():
        for operation in methods.values():
            for status, response in operation["responses"].items():
                if int(status) in MESSAGES:
                    _, message, place = MESSAGES[int(status)]
                    response["content"][JSON]["example"] = error_fields(message, place)
