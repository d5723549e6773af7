"""The endpoints over the loaded systems."""

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from fastapi import FastAPI, Query
from starlette.requests import Request
from starlette.responses import Response

from keyseq.decoding.policies import POLICIES
from keyseq.errors import DataError, KeyseqError
from keyseq.languages import LANGUAGES
from keyseq.serving.access_log import GONE
from keyseq.serving.answers import Answering
from keyseq.serving.dynamic_batching import Batcher, DocumentError, QueueFullError, TooSlowError
from keyseq.serving.learner import Learner
from keyseq.serving.loaded_systems import Asked, ChoiceError, LoadedSystems
from keyseq.serving.ndjson import KINDS, NDJSON, DocumentStream
from keyseq.serving.prometheus import CONTENT_TYPE, Metrics
from keyseq.serving.refusals import Refusal, error_fields, overloaded
from keyseq.serving.requests import (
    Choice,
    FeedbackRequest,
    KeyphraseRequest,
    ReadRequest,
    StreamRequest,
    TagRequest,
    Text,
)
from keyseq.serving.responses import FeedbackAnswer, KeyphraseAnswer, Status, SystemsAnswer
from keyseq.serving.server_settings import ServerSettings
from keyseq.serving.strict_json import JSON, content_kind, parse_text
from keyseq.serving.uploads import TAGGED, Uploads
from keyseq.types import Document, Phrase
from keyseq.version import __version__

LOG = logging.getLogger(__name__)
Result = TypeVar("Result")


class Service:
    """The endpoints, and the state that they share."""

    def __init__(
        self,
        catalogue: LoadedSystems,
        settings: ServerSettings,
        stopping: threading.Event,
        learner: Learner | None = None,
    ) -> None:
        self.catalogue, self.limits, self.metrics = catalogue, settings.limits, Metrics()
        self.batcher: Batcher[Asked] = Batcher(catalogue.predict, settings.gathering, self.metrics.batches.observe)
        self.uploads = Uploads(settings.limits)
        self._stopping, self.learner = stopping, learner
        self._window = max(1, min(settings.gathering.size, settings.gathering.queue // 2))  # documents of a stream
        self._streams = 0
        self.metrics.watch("keyseq_waiting_documents", "Documents in the queue.", lambda: self.batcher.waiting)
        self.metrics.watch("keyseq_streams", "Streams of documents in progress.", lambda: self._streams)
        self.metrics.watch("keyseq_draining", "1 between the signal to stop and the end.", stopping.is_set)

    async def keyphrases(self, request: Request, body: KeyphraseRequest) -> Response:
        """Find the keyphrases of one document, or of several."""
        self._check_lists(body)
        if len(body.texts) > self.limits.documents:
            message = f"{len(body.texts):,} documents; the limit is {self.limits.documents:,}"
            raise Refusal(413, f"{message}, a stream has none", "documents")
        for number, text in enumerate(body.texts):
            self._check_length(text, f"documents[{number}].text" if len(body.texts) > 1 else "text")
        asked, answering = self._resolve(body)
        documents = [text.document(number) for number, text in enumerate(body.texts, start=1)]
        request.state.log = {"system": asked.system, "documents": len(documents)}
        found = await _while_wanted(request, self._predict(asked, documents))
        self.metrics.documents.labels(asked.system).inc(len(documents))
        result = KeyphraseAnswer(
            system=asked.system,
            version=__version__,
            documents=[
                answering.document(document, phrases) for document, phrases in zip(documents, found, strict=True)
            ],
        )
        return Response(result.model_dump_json(exclude_unset=True), media_type=JSON)

    async def stream(self, request: Request, wanted: Annotated[StreamRequest, Query()]) -> Response:
        """Find the keyphrases of any number of documents, one JSON object per line, answered line by line."""
        if content_kind(request) not in KINDS:
            raise Refusal(415, f"send one JSON object per line, with the header Content-Type: {NDJSON}", "Content-Type")
        self._check_lists(wanted)
        asked, answering = self._resolve(wanted)
        if self._streams >= self.limits.streams:
            raise overloaded(f"{self._streams} streams are in progress, the limit of this server")
        request.state.log = log = {"system": asked.system, "documents": 0}

        async def answer(number: int, line: bytes) -> bytes:
            log["documents"] = number
            return await self._answer_line(number, line, asked, answering)

        return DocumentStream(
            answer, self._streaming, window=self._window, largest=self.limits.body, seconds=self.limits.arrival
        )

    @contextlib.contextmanager
    def _streaming(self) -> Iterator[None]:
        """Count a stream while it is in progress."""
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    async def _answer_line(self, number: int, line: bytes, asked: Asked, answering: Answering) -> bytes:
        """The keyphrases of the document in a line, or what is wrong with it; the other lines are not concerned."""
        document = None
        try:
            if len(line) > self.limits.body:
                raise Refusal(413, f"the line is longer than {self.limits.body:,} bytes, the limit of this server")
            text = parse_text(line)
            document = text.document(number)
            self._check_length(text, "text")
            phrases = await self._predict_waiting(asked, document)
        except Refusal as refusal:
            fields = error_fields(str(refusal.detail), refusal.place)
        except Exception:  # a defect, which must not end the stream
            LOG.exception("line %d of a stream", number)
            fields = error_fields("internal error; see the log of this server")
        else:
            self.metrics.documents.labels(asked.system).inc()
            return answering.document(document, phrases).model_dump_json(exclude_unset=True).encode() + b"\n"
        known = {} if document is None else {"id": document.id}
        return json.dumps({**known, "line": number, **fields}, ensure_ascii=False).encode() + b"\n"

    async def _predict_waiting(self, asked: Asked, document: Document) -> list[Phrase]:
        """The phrases of a document of a stream, which waits where a request is refused."""
        while True:
            await self.batcher.room()
            try:
                [phrases] = await self._predict(asked, [document])
            except Refusal as refusal:
                if refusal.status_code == 503:  # other requests were faster
                    continue
                raise
            return phrases

    def _resolve(self, wanted: Choice) -> tuple[Asked, Answering]:
        try:
            asked, selection = self.catalogue.resolve(wanted.system, wanted.settings())
        except ChoiceError as error:
            raise Refusal(422, str(error), error.place) from None
        return asked, Answering(asked.system, selection, explain=wanted.explain)

    def _check_length(self, text: Text, place: str) -> None:
        length = len(text.title) + len(text.text)
        if length > self.limits.text:
            raise Refusal(413, f"{place} has {length:,} characters; the limit is {self.limits.text:,}", place)

    def _check_lists(self, wanted: Choice) -> None:
        for phrases, place in ((wanted.allow, "allow"), (wanted.deny, "deny")):
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

    async def library(self, request: Request, body: TagRequest) -> Response:
        """Add keyphrases to the documents of a library, and return it; everything else in it stays as it is."""
        request.state.log = {"documents": len(body.keyphrases)}
        if len(body.keyphrases) > self.limits.read:
            raise Refusal(413, f"{len(body.keyphrases):,} documents; the limit is {self.limits.read:,}", "keyphrases")
        content = await _while_wanted(request, self.uploads.tag(body))
        return Response(content, media_type="application/octet-stream")

    async def feedback(self, request: Request, body: FeedbackRequest) -> FeedbackAnswer:
        """Store which phrases of a document are right and which are not; it is on disk before the answer."""
        if self.learner is None:
            raise Refusal(404, "this server does not learn; start it with --learn DIR")
        self._check_length(body, "text")
        request.state.log = {"documents": 1}
        try:
            feedback = body.feedback()
        except DataError as error:
            raise Refusal(422, str(error)) from None
        try:
            await self.learner.store(feedback)
        except KeyseqError:
            LOG.exception("feedback")
            raise overloaded("this server cannot store feedback") from None
        return FeedbackAnswer(stored=sum(1 for _ in feedback.verdicts()))

    async def systems(self) -> SystemsAnswer:
        """List the available systems and vocabularies, and the limits of this server."""
        return SystemsAnswer(
            version=__version__,
            systems=self.catalogue.entries(),
            vocabularies=self.catalogue.vocabularies(),
            decodings=list(POLICIES),
            learns=self.learner.name if self.learner else None,
            languages={code: language.name for code, language in LANGUAGES.items()},
            libraries=list(TAGGED),
            limits=asdict(self.limits),
        )

    async def health(self) -> Status:
        """Liveness: the process answers."""
        return Status(status="ok")

    async def ready(self) -> Status:
        """Readiness: whether new texts are accepted."""
        if self._stopping.is_set():
            raise overloaded("this server is about to stop")
        if self.batcher.full:
            raise overloaded("the queue of this server is full")
        return Status(status="ready")

    async def show_metrics(self) -> Response:
        """The metrics in Prometheus' text format."""
        return Response(self.metrics.text(), media_type=CONTENT_TYPE)

    @contextlib.asynccontextmanager
    async def running(self, _app: FastAPI) -> AsyncIterator[None]:
        """Run the batcher, and what learns, for the lifetime of the application."""
        tasks = [asyncio.create_task(self.batcher.run())]
        if self.learner:
            tasks.append(asyncio.create_task(self.learner.run(self.catalogue)))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


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
