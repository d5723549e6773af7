"""Targets: each takes bytes that anybody may have sent, and fails only in keyseq's own words."""

import asyncio
import json
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

from keyseq.arrays import map_arrays
from keyseq.config.bounded_toml import parse_toml
from keyseq.data.formats import CorpusReading
from keyseq.data.keyphrases import clean_keyphrases
from keyseq.errors import KeyseqError
from keyseq.evaluation.evaluator import evaluate
from keyseq.extractive.reading import Reading
from keyseq.runtime.graph_check import check_graph
from keyseq.runtime.graph_fields import NotOurs, read_model
from keyseq.runtime.graph_writing import parts_of
from keyseq.runtime.step_loop import step_loop
from keyseq.text.presence import phrase_stems

# the first byte of some targets chooses: a format, a file of a folder, an endpoint
BEGINNINGS = tuple(bytes([number]) for number in range(16))
FORMATS = (".jsonl", ".csv", ".tsv", ".bib", ".ris", ".txt", ".md", ".xml", ".html", ".json", ".tex", ".nbib")


def read(content: bytes) -> None:
    """Readers of corpora: the first byte chooses the format."""
    if not content:
        return
    suffix = FORMATS[content[0] % len(FORMATS)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        path.write_bytes(content[1:])
        try:
            for _ in CorpusReading().documents(path):
                pass
        except KeyseqError:
            return


def tokenize(content: bytes) -> None:
    """Words, units and stems of a text."""
    Reading(content.decode("utf-8", "replace"))


def present(content: bytes) -> None:
    """The stems of a keyphrase, and its repair."""
    phrase = content.decode("utf-8", "replace")
    phrase_stems(phrase)
    clean_keyphrases([phrase], "Social robots follow spoken commands.", lambda _: None)


def score(content: bytes) -> None:
    """The evaluator: gold keyphrases above, predicted ones below."""
    gold, _, predicted = content.decode("utf-8", "replace").partition("\n\n")
    with tempfile.TemporaryDirectory() as folder:
        corpus, predictions = Path(folder) / "gold.jsonl", Path(folder) / "predicted.jsonl"
        corpus.write_text(json.dumps({"abstract": gold, "keyphrases": gold.splitlines()}) + "\n")
        predictions.write_text(json.dumps({"keyphrases": predicted.splitlines()}) + "\n")
        try:
            evaluate(corpus, predictions)
        except KeyseqError:
            return


def predictions(content: bytes) -> None:
    """The reader of predictions."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, path = Path(folder) / "gold.jsonl", Path(folder) / "predicted.jsonl"
        corpus.write_text('{"abstract": "Social robots.", "keyphrases": ["robots"]}\n')
        path.write_bytes(content)
        try:
            evaluate(corpus, path)
        except KeyseqError:
            return


@cache
def _weights() -> dict[str, tuple[int, ...]]:
    """The shapes of the weights of a network, so that a graph that was changed little is read to its end."""
    from keyseq.systems.hub import PRETRAINED

    arrays = map_arrays(PRETRAINED / "questions-network" / "weights.safetensors")
    return {name: array.shape for name, array in arrays.items()}


def graph(content: bytes) -> None:
    """The graph of a network; the loop around it reads it once more, and must find the same."""
    try:
        signature = check_graph(content, _weights(), "weights.safetensors")
    except NotOurs:
        return
    found, checked = parts_of(content), read_model(content)["graph"]
    assert all(len(found[name]) == len(checked[name]) for name in ("node", "initializer", "input", "output"))
    step_loop(content, signature.inputs, 100, chooses=True)


def settings(content: bytes) -> None:
    """The settings of a folder."""
    try:
        parse_toml(content.decode("utf-8"))
    except ValueError:
        return


def arrays(content: bytes) -> None:
    """The arrays of a ranker, of profiles, of a vocabulary: a header in JSON, and numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ranker.safetensors"
        path.write_bytes(content)
        try:
            map_arrays(path)
        except KeyseqError:
            return


@cache
def _combined() -> Path:
    """A folder of a combined system, which lasts as long as the process."""
    from keyseq.systems.hub import PRETRAINED

    folder = tempfile.mkdtemp(prefix="keyseq-fuzz-")
    return Path(copytree(PRETRAINED / "news", folder, dirs_exist_ok=True))


def folder(content: bytes) -> None:
    """The settings of a combined system, with the rest of its folder as it was."""
    from keyseq.systems import load

    (_combined() / "combined.toml").write_bytes(content)
    try:
        load(str(_combined())).predict(["Social robots follow spoken commands."])
    except KeyseqError:
        return


STUCK = 3600  # seconds of the clock, on a machine that may stand still meanwhile
ENDPOINTS = ("/v1/keyphrases", "/v1/keyphrases/stream", "/v1/documents?name=a.txt", "/v1/library", "/v1/feedback")


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """An event loop that runs beside the fuzzer."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


@cache
def _application() -> Any:
    """The application that serves tfidf, without processes that read files; and the task that makes its batches."""
    from unittest.mock import patch

    from keyseq.serving import service
    from keyseq.serving.app import build
    from keyseq.serving.loaded_systems import LoadedSystems

    with patch.object(service, "Uploads", _NoUploads):
        application = build(LoadedSystems(["tfidf"]))
    waiting: list[dict[str, str]] = [{"type": "lifespan.startup"}]
    ever: asyncio.Future[dict[str, str]] = _loop().create_future()

    async def receive() -> dict[str, str]:
        return waiting.pop() if waiting else await ever

    started = threading.Event()

    async def send(_: Any) -> None:
        started.set()

    running = asyncio.run_coroutine_threadsafe(application({"type": "lifespan", "state": {}}, receive, send), _loop())
    started.wait()
    return application, running


class _NoUploads:
    """Files are read by another target, `read`: a process for each case would take most of the time."""

    def __init__(self, _: Any) -> None: ...

    async def read(self, *_: Any) -> Any:
        from keyseq.serving.refusals import Refusal

        raise Refusal(422, "no file is read here", "body")

    tag = read


def body(content: bytes) -> None:
    """The body of a request; the first byte chooses the endpoint."""
    if not content:
        return
    path, _, query = ENDPOINTS[content[0] % len(ENDPOINTS)].partition("?")
    kind = "application/x-ndjson" if path.endswith("stream") else "application/json"
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", kind.encode())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    messages: list[dict[str, Any]] = [{"type": "http.request", "body": content[1:], "more_body": False}]
    statuses: list[int] = []

    async def receive() -> dict[str, Any]:
        return messages.pop() if messages else await asyncio.Future()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    application, _ = _application()
    asyncio.run_coroutine_threadsafe(application(scope, receive, send), _loop()).result(STUCK)
    assert statuses, "no answer"
    assert statuses[0] < 500, f"status {statuses[0]}"


TARGETS: dict[str, Callable[[bytes], None]] = {
    "read": read,
    "tokenize": tokenize,
    "present": present,
    "score": score,
    "predictions": predictions,
    "graph": graph,
    "arrays": arrays,
    "settings": settings,
    "folder": folder,
    "body": body,
}
