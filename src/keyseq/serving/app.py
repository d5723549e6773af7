"""The ASGI application: endpoints over the loaded systems, behind limits, security headers and the access log."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from fastapi import FastAPI, Query
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from keyseq.decoding.policies import POLICIES
from keyseq.errors import KeyseqError
from keyseq.serving.access_log import GONE, AccessLog
from keyseq.serving.answers import Answering
from keyseq.serving.body_limits import BodyLimits
from keyseq.serving.dynamic_batching import Batcher, DocumentError, QueueFullError, TooSlowError
from keyseq.serving.loaded_systems import Asked, ChoiceError, LoadedSystems
from keyseq.serving.prometheus import CONTENT_TYPE, Metrics
from keyseq.serving.refusals import Refusal, answer, overloaded
from keyseq.serving.requests import (
    ErrorAnswer,
    KeyphraseAnswer,
    KeyphraseRequest,
    ReadAnswer,
    ReadRequest,
    Status,
    SystemsAnswer,
    Text,
)
from keyseq.serving.security import Authorised, NamedHosts, SecureHeaders
from keyseq.serving.server_settings import ServerSettings
from keyseq.serving.static_files import page_files
from keyseq.serving.strict_json import JSON, StrictRoute, refusal
from keyseq.serving.uploads import SUFFIXES, Uploads
from keyseq.types import Document, Phrase
from keyseq.version import __version__

Result = TypeVar("Result")
KEYPHRASES, DOCUMENTS, SYSTEMS, METRICS = "/v1/keyphrases", "/v1/documents", "/v1/systems", "/metrics"
HEALTH, READY, OPENAPI = "/healthz", "/readyz", "/openapi.json"


class Service:
    """The endpoints."""

    def __init__(self, catalogue: LoadedSystems, settings: ServerSettings) -> None:
        self.catalogue, self.limits, self.metrics = catalogue, settings.limits, Metrics()
        self.batcher: Batcher[Asked] = Batcher(catalogue.predict, settings.gathering, self.metrics.batches.observe)
        self.uploads = Uploads(settings.limits)
        self.metrics.watch("keyseq_waiting_documents", "Documents in the queue.", lambda: self.batcher.waiting)

    async def keyphrases(self, request: Request, body: KeyphraseRequest) -> Response:
        """Find the keyphrases of one document, or of several."""
        self._check_sizes(body.texts, body.allow, body.deny)
        try:
            asked, selection = self.catalogue.resolve(body.system, body.settings())
        except ChoiceError as error:
            raise Refusal(422, str(error), error.place) from None
        documents = [text.document(number) for number, text in enumerate(body.texts, start=1)]
        request.state.log = {"system": asked.system, "documents": len(documents)}
        found = await _while_wanted(request, self._predict(asked, documents))
        self.metrics.documents.labels(asked.system).inc(len(documents))
        answering = Answering(asked.system, selection, explain=body.explain)
        result = KeyphraseAnswer(
            system=asked.system,
            version=__version__,
            documents=[
                answering.document(document, phrases) for document, phrases in zip(documents, found, strict=True)
            ],
        )
        return Response(result.model_dump_json(exclude_unset=True), media_type=JSON)

    def _check_sizes(self, texts: list[Text], *lists: list[str] | None) -> None:
        if len(texts) > self.limits.documents:
            raise Refusal(413, f"{len(texts):,} documents; the limit is {self.limits.documents:,}", "documents")
        for number, text in enumerate(texts):
            length = len(text.title) + len(text.text)
            if length > self.limits.text:
                place = f"documents[{number}].text" if len(texts) > 1 else "text"
                raise Refusal(413, f"{place} has {length:,} characters; the limit is {self.limits.text:,}", place)
        for phrases, place in zip(lists, ("allow", "deny"), strict=True):
            if len(phrases or ()) > self.limits.listed:
                raise Refusal(
                    413, f"{place} has more than {self.limits.listed:,} phrases, the limit of this server", place
                )

    async def _predict(self, asked: Asked, documents: list[Document]) -> list[list[Phrase]]:
        try:
            return await self.batcher.predict(asked, documents, self.limits.seconds)
        except QueueFullError:
            raise overloaded("the queue of this server is full") from None
        except TooSlowError:
            message = f"prediction took over {self.limits.seconds:g} seconds; send shorter or fewer texts"
            raise Refusal(408, message) from None
        except DocumentError as error:
            if isinstance(error.__cause__, KeyseqError):
                place = f"documents[{error.place}]" if len(documents) > 1 else None
                raise Refusal(422, str(error.__cause__), place) from None
            raise

    async def documents(self, request: Request, wanted: Annotated[ReadRequest, Query()]) -> Response:
        """Read the documents of a file of any format that keyseq reads."""
        result = await _while_wanted(request, self.uploads.read(wanted, await request.body()))
        request.state.log = {"documents": len(result.documents)}
        return Response(result.model_dump_json(), media_type=JSON)

    async def systems(self) -> SystemsAnswer:
        """List the available systems and vocabularies, and the limits of this server."""
        return SystemsAnswer(
            version=__version__,
            systems=self.catalogue.entries(),
            vocabularies=self.catalogue.vocabularies(),
            decodings=list(POLICIES),
            limits=asdict(self.limits),
        )

    async def health(self) -> Status:
        """Liveness: the process answers."""
        return Status(status="ok")

    async def ready(self) -> Status:
        """Readiness: whether new texts are accepted."""
        if self.batcher.full:
            raise overloaded("the queue of this server is full")
        return Status(status="ready")

    async def show_metrics(self) -> Response:
        """The metrics in Prometheus' text format."""
        return Response(self.metrics.text(), media_type=CONTENT_TYPE)

    @contextlib.asynccontextmanager
    async def running(self, _app: FastAPI) -> AsyncIterator[None]:
        """Run the batcher for the lifetime of the application."""
        task = asyncio.create_task(self.batcher.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _while_wanted(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """Do the work, but stop when the client disconnects: a page that predicts while typing abandons many requests."""
    task, gone = asyncio.create_task(work), asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Refusal(GONE, "the client disconnected")
        return task.result()
    finally:
        task.cancel()
        gone.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def build(catalogue: LoadedSystems, settings: ServerSettings | None = None) -> ASGIApp:
    """Build the application that serves these systems."""
    settings = settings or ServerSettings()
    service = Service(catalogue, settings)
    app = FastAPI(
        title="keyseq",
        version=__version__,
        summary="The keyphrases of a text: those it contains and those it implies.",
        lifespan=service.running,
        docs_url=None,
        redoc_url=None,
        openapi_url=OPENAPI,
    )
    app.router.route_class = StrictRoute
    _add_endpoints(app, service, authorised=settings.token is not None)
    app.add_exception_handler(HTTPException, _answer)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(Exception, _answer_defect)
    paths = [route.path for route in app.routes]  # type: ignore[attr-defined]
    for path, file in (pages := page_files()).items():
        app.add_route(path, file.send, include_in_schema=False)
    return _behind(app, service, settings, [*paths, *pages])


def _add_endpoints(app: FastAPI, service: Service, *, authorised: bool) -> None:
    errors = {401: "missing or wrong token"} if authorised else {}
    busy = {503: "overloaded; see Retry-After"}
    bad = {400: "invalid JSON", 408: "too slow", 413: "too large", 422: "invalid request"}
    file = {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
    app.post(KEYPHRASES, response_model=KeyphraseAnswer, responses=_told(errors | bad | {415: "not JSON"} | busy))(
        service.keyphrases
    )
    app.post(
        DOCUMENTS,
        response_model=ReadAnswer,
        responses=_told(errors | bad | busy),
        openapi_extra={"requestBody": file},
        description=f"Read the documents of a file, sent as the body. Accepted: {', '.join(SUFFIXES)}.",
    )(service.documents)
    app.get(SYSTEMS, responses=_told(errors))(service.systems)
    app.get(HEALTH)(service.health)
    app.get(READY, responses=_told(busy))(service.ready)
    app.get(METRICS, responses={200: {"content": {"text/plain": {}}}, **_told(errors)}, response_class=Response)(
        service.show_metrics
    )


def _told(statuses: dict[int, str]) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": ErrorAnswer, "description": what} for status, what in statuses.items()}


def _behind(app: FastAPI, service: Service, settings: ServerSettings, paths: list[str]) -> ASGIApp:
    """Wrap the application in its middleware, outermost last."""
    limits = settings.limits
    layered: ASGIApp = BodyLimits(app, limits, lambda path: limits.upload if path == DOCUMENTS else limits.body)
    if settings.token is not None:
        layered = Authorised(layered, settings.token, lambda path: path.startswith("/v1/") or path == METRICS)
    if settings.origins:
        layered = CORSMiddleware(
            layered, settings.origins, allow_methods=["GET", "POST"], allow_headers=["Authorization", "Content-Type"]
        )
    if settings.hosts:
        layered = NamedHosts(layered, settings.hosts)
    return AccessLog(SecureHeaders(layered), service.metrics, paths)


async def _answer(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # what it is registered for
    return answer(error)


async def _answer_invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  # what it is registered for
    return answer(refusal(error))


async def _answer_defect(request: Request, _error: Exception) -> Response:
    return answer(Refusal(500, f"internal error; see the log of this server for request {request.state.request_id}"))
