"""The queue before the threads: who shares a batch, who is turned away, and what one bad document does to others."""

import asyncio
import threading

import pytest

from keyseq.serving.dynamic_batching import Batcher, DocumentError, QueueFullError, TooSlowError
from keyseq.serving.server_settings import Gathering
from keyseq.types import Document, Phrase


def document(text):
    return Document(id="1", body=text)


class Predictor:
    """Answers each document with its own text, and remembers the batches; `gate` holds it up."""

    def __init__(self):
        self.batches = []
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, key, documents):
        self.batches.append((key, [document.body for document in documents]))
        assert self.gate.wait(10)
        if any(document.body == "bad" for document in documents):
            raise ValueError("no such text")
        return [[Phrase(text=document.body, score=1.0, present=True)] for document in documents]


def run(scenario, **gathering):
    predictor = Predictor()

    async def within():
        batcher = Batcher(predictor, Gathering(**{"seconds": 0.02, **gathering}))
        task = asyncio.create_task(batcher.run())
        try:
            return await scenario(batcher, predictor)
        finally:
            predictor.gate.set()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    return asyncio.run(within())


async def ask(batcher, key, *texts, seconds=5.0):
    found = await batcher.predict(key, [document(text) for text in texts], seconds)
    return [phrases[0].text for phrases in found]


def test_requests_of_equal_options_share_a_batch_and_get_their_own_phrases():
    async def scenario(batcher, predictor):
        found = await asyncio.gather(ask(batcher, "k", "a"), ask(batcher, "other", "b"), ask(batcher, "k", "c", "d"))
        return found, predictor.batches

    found, batches = run(scenario)
    assert found == [["a"], ["b"], ["c", "d"]]
    assert batches == [("k", ["a", "c", "d"]), ("other", ["b"])]


def test_a_batch_has_a_size_and_a_length():
    async def scenario(batcher, predictor):
        await ask(batcher, "k", "aaaa", "bbbb", "cccc", "d", "eeeeeeeeeeeeeeee")
        return [batch for _, batch in predictor.batches]

    batches = run(scenario, size=2, characters=8)
    assert batches == [["aaaa", "bbbb"], ["cccc", "d"], ["eeeeeeeeeeeeeeee"]]  # what is too long goes alone


def test_a_full_batch_does_not_wait_for_more():
    async def scenario(batcher, _):
        return await ask(batcher, "k", "a", "b")

    assert run(scenario, size=2, seconds=60) == ["a", "b"]


def test_a_lone_client_never_waits_for_others():
    async def scenario(batcher, predictor):
        for text in "abc":
            await ask(batcher, "k", text)
        return [batch for _, batch in predictor.batches]

    assert run(scenario, seconds=60) == [["a"], ["b"], ["c"]]  # else it would take minutes


def test_documents_that_come_while_others_are_predicted_share_the_next_batch():
    async def scenario(batcher, predictor):
        predictor.gate.clear()
        asked = [asyncio.create_task(ask(batcher, "k", "first"))]
        while not predictor.batches:
            await asyncio.sleep(0.001)
        for text in "abc":
            asked.append(asyncio.create_task(ask(batcher, "k", text)))
            await asyncio.sleep(0)
        predictor.gate.set()
        await asyncio.gather(*asked)
        return [batch for _, batch in predictor.batches]

    assert run(scenario, seconds=60) == [["first"], ["a", "b", "c"]]


def test_the_clients_of_a_batch_are_waited_for_when_they_return_one_after_the_other():
    async def client(batcher, number):
        await ask(batcher, "k", f"{number} before")
        await asyncio.sleep(0.01 * number)  # each reads its answer, and takes longer than the one before
        await ask(batcher, "k", f"{number} after")

    async def scenario(batcher, predictor):
        await asyncio.gather(*(client(batcher, number) for number in range(5)))
        return [len(batch) for _, batch in predictor.batches]

    assert run(scenario, seconds=60) == [5, 5]


def test_a_client_that_does_not_return_is_not_waited_for_beyond_the_delay():
    async def scenario(batcher, predictor):
        await asyncio.gather(*(ask(batcher, "k", text) for text in "abc"))
        await ask(batcher, "k", "a again", seconds=5.0)
        return [len(batch) for _, batch in predictor.batches]

    assert run(scenario, seconds=0.05) == [3, 1]


def test_past_the_queue_a_request_is_turned_away_and_later_ones_are_served():
    async def scenario(batcher, predictor):
        predictor.gate.clear()
        first = asyncio.create_task(ask(batcher, "k", "a"))
        await asyncio.sleep(0.1)  # it is being predicted
        waiting = asyncio.create_task(ask(batcher, "k", "b", "c"))
        await asyncio.sleep(0)
        with pytest.raises(QueueFullError):
            await ask(batcher, "k", "d")
        assert batcher.full
        predictor.gate.set()
        assert await first == ["a"]
        assert await waiting == ["b", "c"]
        return await ask(batcher, "k", "d")

    assert run(scenario, queue=2) == ["d"]


def test_one_bad_document_is_named_and_spoils_no_other_request():
    async def scenario(batcher, _):
        good, bad = await asyncio.gather(ask(batcher, "k", "a"), ask(batcher, "k", "b", "bad"), return_exceptions=True)
        return good, bad

    good, bad = run(scenario)
    assert good == ["a"]
    assert isinstance(bad, DocumentError)
    assert bad.place == 1
    assert str(bad.__cause__) == "no such text"


def test_a_slow_prediction_is_told_apart_from_a_long_queue_and_holds_its_thread():
    async def scenario(batcher, predictor):
        predictor.gate.clear()
        slow = asyncio.create_task(ask(batcher, "k", "a", seconds=0.2))
        await asyncio.sleep(0.1)
        with pytest.raises(QueueFullError):  # never begun: the other one has the thread
            await ask(batcher, "k", "b", seconds=0.05)
        with pytest.raises(TooSlowError):
            await slow
        assert batcher.waiting == 0
        late = asyncio.create_task(ask(batcher, "k", "c"))
        await asyncio.sleep(0.1)
        assert len(predictor.batches) == 1  # the thread is still at it
        predictor.gate.set()
        return await late

    assert run(scenario) == ["c"]


def test_documents_of_a_client_that_left_are_not_predicted():
    async def scenario(batcher, predictor):
        predictor.gate.clear()
        first = asyncio.create_task(ask(batcher, "k", "a"))
        await asyncio.sleep(0.1)
        left = asyncio.create_task(ask(batcher, "k", "b"))
        await asyncio.sleep(0)
        left.cancel()
        await asyncio.gather(left, return_exceptions=True)
        assert batcher.waiting == 0
        predictor.gate.set()
        await first
        await ask(batcher, "k", "c")
        return [batch for _, batch in predictor.batches]

    assert run(scenario) == [["a"], ["c"]]
