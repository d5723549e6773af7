"""The ASGI application: the endpoints and the page, behind limits, security headers and the access log."""

import threading

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from keyseq.serving.access_log import AccessLog
from keyseq.serving.body_limits import BodyLimits
from keyseq.serving.learner import Learner
from keyseq.serving.loaded_systems import LoadedSystems
from keyseq.serving.openapi import DOCUMENTS, LIBRARY, METRICS, OPENAPI, STREAM, add_endpoints, described
from keyseq.serving.refusals import Refusal, answer
from keyseq.serving.request_heads import RequestHeads
from keyseq.serving.root_path import RootPath
from keyseq.serving.security import Authorised, NamedHosts, SecureHeaders
from keyseq.serving.server_settings import Limits, ServerSettings
from keyseq.serving.service import Service
from keyseq.serving.static_files import page_files
from keyseq.serving.strict_json import StrictRoute, refusal
from keyseq.version import __version__


def build(
    catalogue: LoadedSystems,
    settings: ServerSettings | None = None,
    stopping: threading.Event | None = None,
    learner: Learner | None = None,
) -> ASGIApp:
    """Build the application that serves these systems; from `stopping` on, it is not ready for new texts.

    With a `learner`, one of them learns from the feedback that the server takes.
    """
    settings = settings or ServerSettings()
    service = Service(catalogue, settings, stopping or threading.Event(), learner)
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
    add_endpoints(app, service, authorised=settings.token is not None)
    app.openapi = described(app, settings.root_path)  # type: ignore[method-assign]
    app.add_exception_handler(HTTPException, _answer)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(Exception, _answer_defect)
    paths = [route.path for route in app.routes]  # type: ignore[attr-defined]
    for path, file in (pages := page_files()).items():
        app.add_route(path, file.send, include_in_schema=False)
    return _behind(app, service, settings, [*paths, *pages])


def _behind(app: FastAPI, service: Service, settings: ServerSettings, paths: list[str]) -> ASGIApp:
    """Wrap the application in its middleware, outermost last."""
    layered: ASGIApp = BodyLimits(app, settings.limits, lambda path: _largest(path, settings.limits))
    if settings.token is not None:
        layered = Authorised(layered, settings.token, lambda path: path.startswith("/v1/") or path == METRICS)
    if settings.origins:
        layered = CORSMiddleware(
            layered, settings.origins, allow_methods=["GET", "POST"], allow_headers=["Authorization", "Content-Type"]
        )
    if settings.hosts:
        layered = NamedHosts(layered, settings.hosts)
    layered = AccessLog(SecureHeaders(RequestHeads(layered)), service.metrics, paths)
    return RootPath(layered, settings.root_path) if settings.root_path else layered


def _largest(path: str, limits: Limits) -> int | None:
    """The largest body that an endpoint accepts; a stream has no end, only its lines have."""
    if path == STREAM:
        return None
    if path == LIBRARY:
        return 2 * limits.upload  # base64, and the keyphrases
    return limits.upload if path == DOCUMENTS else limits.body


async def _answer(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # what it is registered for
    return answer(error if isinstance(error, Refusal) else _unknown(request, error))


def _unknown(request: Request, error: HTTPException) -> HTTPException:
    """The refusal of a path or a method that the server does not have, with those that it has."""
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "another method")
        return Refusal(405, f"{request.method} is not for this path; use {allowed}", "method", error.headers)
    if error.status_code == 404:
        return Refusal(404, "there is no such path; /docs lists those that there are", "path", error.headers)
    return error


async def _answer_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  # what it is registered for
    return answer(refusal(error, request.url.path))


async def _answer_defect(request: Request, _error: Exception) -> Response:
    return answer(Refusal(500, f"internal error; see the log of this server for request {request.state.request_id}"))
