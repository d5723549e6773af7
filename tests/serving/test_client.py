"""`keyseq.Client` and `keyseq.AsyncClient` against a real server, and against one that is busy."""

import asyncio
import contextlib
import http.server
import json
import threading
import time
from email.utils import formatdate
from typing import get_type_hints

import pytest
from tests.systems.tiny_combined import TEXT as ROBOT

import keyseq
from keyseq.client import wire
from keyseq.client.wire import RequestSettings, ServerError
from keyseq.errors import KeyseqError
from keyseq.serving.requests import Choice
from keyseq.types import Document, System

TEXT = "Voice recognition lets a social robot follow spoken commands. 😀 Voice recognition again."
TITLED = Document(id="t", title="Voice recognition", body="Voice recognition by robots.")
TITLE = Document(id="o", title="Social robots that listen")


def blocking(url, **options):
    return contextlib.closing(keyseq.Client(url, **options))


class Awaited:
    """An `AsyncClient` whose methods are awaited, so that one test serves for both."""

    def __init__(self, url, **options):
        self._loop = asyncio.new_event_loop()
        self._client = keyseq.AsyncClient(url, **options)

    def __getattr__(self, name):
        return lambda *given, **named: self._loop.run_until_complete(getattr(self._client, name)(*given, **named))

    def stream(self, documents, **settings):
        async def collected():
            return [pair async for pair in self._client.stream(documents, **settings)]

        return self._loop.run_until_complete(collected())

    def close(self):
        self._loop.run_until_complete(self._client.aclose())
        self._loop.close()


def awaited(url, **options):
    return contextlib.closing(Awaited(url, **options))


@pytest.fixture(params=[blocking, awaited], ids=["Client", "AsyncClient"])
def client(request):
    return request.param


def test_phrases_are_those_of_the_library_with_spans_in_the_whole_document(server, client):
    documents = [TEXT, TITLED, TITLE, ""]
    with client(server.url) as one:
        found = one.predict(documents, system="textrank", top=3)
    local = keyseq.load("textrank", top=3).predict(documents)
    assert found == [
        [
            keyseq.Phrase(text=p.text, score=pytest.approx(p.score, abs=1e-6), present=p.present, spans=p.spans)
            for p in all_
        ]
        for all_ in local
    ]


def test_evidence_is_typed(explaining, client):
    with client(explaining.url) as one:
        [phrases] = one.predict([ROBOT], explain=True)
        [plain] = one.predict([ROBOT])
    assert phrases[0].evidence.sources == ("text", "profiles")
    assert phrases[0].evidence.occurrences == 2
    assert plain[0].evidence is None


def test_a_stream_has_no_end_and_is_sent_in_batches(server, client):
    documents = [Document(id=f"d{number}", body=f"Robot {number} delivers parcels.") for number in range(150)]
    before = requests(server)
    with client(server.url, batch=40) as one:
        found = list(one.stream(iter(documents), top=1))
    assert [document for document, _ in found] == documents
    assert {len(phrases) for _, phrases in found} == {1}
    assert requests(server) - before == 4


def requests(server):
    text = server.ask("/metrics").body.decode()
    counted = 'keyseq_requests_total{method="POST",path="/v1/keyphrases",status="200"}'
    return next((float(line.split()[1]) for line in text.splitlines() if line.startswith(counted)), 0)


def test_a_stream_takes_documents_only_as_it_gives_phrases(server):
    taken = []

    def endless():
        number = 0
        while True:
            taken.append(number)
            yield f"Robot {number} delivers parcels."
            number += 1

    with blocking(server.url, batch=4, concurrency=2) as one:
        stream = one.stream(endless(), top=1)
        assert next(stream)[0].id == "1"
        stream.close()
    assert len(taken) < 20


def test_an_asynchronous_source_is_streamed(server):
    async def documents():
        for number in range(5):
            yield f"Robot {number} delivers parcels."

    async def collected():
        async with keyseq.AsyncClient(server.url, batch=2) as client:
            return [document.id async for document, _ in client.stream(documents())]

    assert asyncio.run(collected()) == ["1", "2", "3", "4", "5"]


def test_a_refusal_is_an_error_with_the_servers_sentence_and_the_number_of_the_document(server, client):
    with client(server.url, batch=2) as one:
        with pytest.raises(ServerError, match=r"did you mean 'textrank'\?") as refused:
            one.predict([TEXT], system="textrnk")
        assert (refused.value.status, refused.value.place) == (422, "system")
        with pytest.raises(ServerError, match=r"documents\[3\]\.text has 20,001 characters") as refused:
            one.predict([TEXT, TEXT, TEXT, "a" * 20_001])
        assert refused.value.place == "documents[3].text"
        with pytest.raises(KeyseqError, match=r"document 1 \(counted from 0\) is"):
            list(one.stream([TEXT, None]))


def test_half_of_a_surrogate_pair_which_no_request_can_hold_moves_no_span(server, client):
    text = "\ud83d voice recognition"
    with client(server.url) as one:
        [[phrase]] = one.predict([text], system="tfidf", top=1)
    assert [text[slice(*span)] for span in phrase.spans] == ["voice recognition"]


def test_the_repr_names_the_server():
    assert repr(keyseq.AsyncClient("http://127.0.0.1:8080")) == "AsyncClient('http://127.0.0.1:8080')"
    with keyseq.Client() as one:
        assert repr(one) == "Client('http://127.0.0.1:8080')"


def test_the_token_is_sent(guarded, client):
    with client(guarded.url, token="a-token-for-the-tests") as one:
        assert [system.name for system in one.systems()] == ["textrank"]
    with client(guarded.url) as one, pytest.raises(ServerError, match="requires a token"):
        one.systems()


def test_files_are_read_and_libraries_tagged(server, client, tmp_path):
    library = tmp_path / "library.bib"
    library.write_text("@article{a, title = {Social robots}, abstract = {They listen.}}\n")
    with client(server.url) as one:
        assert [(document.id, document.title) for document in one.read(library)] == [("a", "Social robots")]
        tagged = one.tag(str(library), top=1)
        library.write_bytes(tagged)
        assert one.tag(library, top=2, existing="keep") == tagged
        table, reading = tmp_path / "table.csv", {"title_column": "Überschrift", "encoding": "cp1252"}
        table.write_text("Überschrift\nSocial robots\n", encoding="cp1252")
        assert [document.title for document in one.read(table, **reading)] == ["Social robots"]
        found = one.tag(table, reading=reading, top=1).decode("cp1252")
        assert found == "Überschrift,keyphrases\nSocial robots,Social robots\n"
        with pytest.raises(KeyseqError, match=r"missing\.pdf: no such file; name a file on this machine"):
            one.read(tmp_path / "missing.pdf")
    assert tagged == b"@article{a, title = {Social robots}, abstract = {They listen.}, keywords = {Social robots}}\n"


class Busy(http.server.BaseHTTPRequestHandler):
    """Refuses as often as told, and notes when it was asked."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(time.monotonic())
        status, headers = self.server.answers.pop(0) if self.server.answers else (200, {})
        body = {"documents": [{"keyphrases": []}]} if status == 200 else {"error": {"message": "busy", "place": None}}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        content = b"<html>" if status == 502 else json.dumps(body).encode()
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def busy():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy) as server:
        server.asked, server.answers = [], []
        server.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_busy_server_is_asked_again_when_it_says(busy, client):
    busy.answers = [(503, {"Retry-After": "1"}), (503, {"Retry-After": "0"}), (502, {"Retry-After": "0"})]
    with client(busy.url) as one:
        assert one.predict([TEXT]) == [[]]
    assert len(busy.asked) == 4
    assert busy.asked[1] - busy.asked[0] >= 1
    assert busy.asked[3] - busy.asked[1] < 0.9


def test_the_last_refusal_is_told_after_as_many_attempts_as_allowed(busy, client):
    busy.answers = [(503, {"Retry-After": "0"})] * 9
    with client(busy.url, retries=2) as one, pytest.raises(ServerError, match="busy") as refused:
        one.predict([TEXT])
    assert refused.value.status == 503
    assert len(busy.asked) == 3


def test_a_refusal_that_would_come_again_is_not_repeated(busy, client):
    busy.answers = [(422, {})]
    with client(busy.url) as one, pytest.raises(ServerError, match="busy"):
        one.predict([TEXT])
    assert len(busy.asked) == 1


def test_a_server_that_is_not_there_is_told_in_a_sentence(client):
    with client("http://127.0.0.1:9", retries=1) as one, pytest.raises(KeyseqError, match="is keyseq serve running"):
        one.predict([TEXT])


@pytest.mark.parametrize(
    ("retry_after", "least", "most"),
    [
        ("3", 3, 3),
        ("100000", 60, 60),
        (None, 0.25, 0.5),
        ("soon", 0.25, 0.5),
        pytest.param(formatdate(time.time() + 86_400, usegmt=True), 60, 60, id="tomorrow"),
        pytest.param(formatdate(time.time() - 20, usegmt=True), 0, 0, id="past"),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_bounded(retry_after, least, most):
    assert least <= wire.pause(1, retry_after) <= most


def test_pauses_grow_where_the_server_does_not_say():
    assert wire.pause(5, None) > wire.pause(1, None)
    assert wire.pause(50, None) <= 60


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"url": "127.0.0.1:8080"}, "not the address of a server"),
        ({"batch": 0}, "batch must be at least 1"),
        ({"retries": -1}, "retries must be at least 0"),
    ],
)
def test_a_bad_option_of_a_client_is_refused(options, said):
    with pytest.raises(KeyseqError, match=said):
        keyseq.Client(**options)


def test_a_client_has_every_setting_of_a_request_and_is_a_system(server):
    assert set(get_type_hints(RequestSettings)) == set(Choice.model_fields)
    with blocking(server.url) as one:
        assert isinstance(one, System)
        assert one.name == server.url
