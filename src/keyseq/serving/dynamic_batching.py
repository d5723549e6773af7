"""Dynamic batching: documents of concurrent requests are predicted together, and a lone one at once."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from keyseq.serving.server_settings import Gathering
from keyseq.types import Document, Phrase

MOMENT = 0.01  # seconds after which a stream looks at the queue again
MOMENTS = 5  # times the batching delay is the longest wait of a document while others arrive

Key = TypeVar("Key", bound=Hashable)
Predict = Callable[[Key, list[Document]], list[list[Phrase]]]


class QueueFullError(Exception):
    """The queue is full."""


class TooSlowError(Exception):
    """A prediction exceeded the time limit of a request."""


class DocumentError(Exception):
    """The prediction of one document of a request failed; the reason is its cause."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


@dataclass(eq=False)
class _Pending(Generic[Key]):
    key: Key
    document: Document
    future: "asyncio.Future[list[Phrase]]"
    since: float = field(default_factory=time.monotonic)
    begun: bool = False


class Batcher(Generic[Key]):
    """A bounded queue of documents, predicted by a few threads; documents with equal keys share a batch."""

    def __init__(
        self, predict: Predict[Key], gathering: Gathering, observe: Callable[[int], None] = lambda _: None
    ) -> None:
        self._predict, self._gathering, self._observe = predict, gathering, observe
        self._waiting: deque[_Pending[Key]] = deque()
        self._arrival, self._more = asyncio.Event(), asyncio.Event()  # some wait; one more has come
        self._free = asyncio.Semaphore(gathering.threads)
        self._pool = ThreadPoolExecutor(gathering.threads, thread_name_prefix="predict")
        self._running: set[asyncio.Task[None]] = set()
        self._answered, self._answered_at = 0, -float("inf")  # documents of the last batch that was finished

    @property
    def waiting(self) -> int:
        """The number of queued documents."""
        return len(self._waiting)

    @property
    def full(self) -> bool:
        """Whether the queue is full."""
        return self.waiting >= self._gathering.queue

    async def room(self) -> None:
        """Wait until the queue is at most half full: streams leave the other half to single requests."""
        while self.waiting > self._gathering.queue // 2:
            await asyncio.sleep(MOMENT)

    async def predict(self, key: Key, documents: Sequence[Document], seconds: float) -> list[list[Phrase]]:
        """The phrases of each document, batched with concurrent requests."""
        if self.waiting + len(documents) > self._gathering.queue:
            raise QueueFullError
        loop = asyncio.get_running_loop()
        items = [_Pending(key, document, loop.create_future()) for document in documents]
        self._waiting.extend(items)
        self._arrival.set()
        self._more.set()
        try:
            async with asyncio.timeout(seconds):
                found = await asyncio.gather(*(item.future for item in items), return_exceptions=True)
        except TimeoutError:
            raise (TooSlowError if all(item.begun for item in items) else QueueFullError) from None
        finally:
            self._drop_cancelled(items)
        return [_result(place, result) for place, result in enumerate(found)]

    def _drop_cancelled(self, items: Sequence[_Pending[Key]]) -> None:
        """Remove cancelled documents from the queue."""
        if any(item.future.cancelled() for item in items):
            self._waiting = deque(item for item in self._waiting if not item.future.done())

    async def run(self) -> None:
        """Make batches until cancelled, which the server does after its last answer."""
        try:
            while True:
                await self._arrival.wait()
                await self._free.acquire()
                await self._gather()
                self._start(self._take())
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _gather(self) -> None:
        """Wait for the clients of a batch that has just been answered, who return one after the other.

        Starting with the first of them would lead to small batches from then on. Others are not waited for: a document
        that finds a thread free is predicted at once, and those that come meanwhile share the next batch. No longer is
        waited than until no document arrived for the batching delay, up to a maximum.
        """
        await asyncio.sleep(0)  # for requests that have been read already
        moment = self._gathering.seconds
        while 0 < len(self._waiting) < self._returning():
            now, first, newest = time.monotonic(), self._waiting[0].since, self._waiting[-1].since
            rest = min(newest + moment, first + MOMENTS * moment) - now
            if rest <= 0:
                return
            self._more.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(rest):
                    await self._more.wait()

    def _returning(self) -> int:
        """How many documents are likely to come at once: as many as were answered a moment ago, one at least."""
        if time.monotonic() - self._answered_at > MOMENTS * self._gathering.seconds:
            return 1
        return min(self._answered, self._gathering.size)

    def _take(self) -> list[_Pending[Key]]:
        """The oldest document, and others that can share its batch."""
        batch: list[_Pending[Key]] = []
        left: deque[_Pending[Key]] = deque()
        characters = 0
        for item in self._waiting:
            length = len(item.document.text)
            fits = len(batch) < self._gathering.size and characters + length <= self._gathering.characters
            if not batch or (fits and item.key == batch[0].key):
                batch.append(item)
                characters += length
            else:
                left.append(item)
        self._waiting = left
        if not left:
            self._arrival.clear()
        return batch

    def _start(self, batch: list[_Pending[Key]]) -> None:
        if not batch:
            self._free.release()
            return
        for item in batch:
            item.begun = True
        self._observe(len(batch))
        task = asyncio.create_task(self._work(batch))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _work(self, batch: list[_Pending[Key]]) -> None:
        try:
            await self._resolve(batch)
        finally:
            self._answered, self._answered_at = len(batch), time.monotonic()
            self._free.release()

    async def _resolve(self, batch: list[_Pending[Key]]) -> None:
        documents = [item.document for item in batch]
        try:
            run = asyncio.get_running_loop().run_in_executor
            found = await run(self._pool, self._predict, batch[0].key, documents)
        except Exception as error:
            if len(batch) == 1:
                _settle(batch[0], error)
                return
            for item in batch:  # one of them failed: predict the others separately
                await self._resolve([item])
            return
        for item, phrases in zip(batch, found, strict=True):
            _settle(item, phrases)


def _settle(item: _Pending[Key], result: list[Phrase] | Exception) -> None:
    if item.future.done():  # cancelled or timed out
        return
    if isinstance(result, Exception):
        item.future.set_exception(result)
    else:
        item.future.set_result(result)


def _result(place: int, result: list[Phrase] | BaseException) -> list[Phrase]:
    if isinstance(result, BaseException):
        raise DocumentError(place) from result
    return result
