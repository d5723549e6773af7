"""A server's process: hostile clients, overload, and the way it stops."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.serving.running import running

from keyseq.errors import KeyseqError
from keyseq.serving.server import Address, bind

TEXT = "Voice recognition lets a social robot follow spoken commands. "


def exchange(server, *parts, pause=0.0, wait=10):
    """Send raw bytes, and return what comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as connection:
        received = bytearray()
        try:
            for part in parts:
                connection.sendall(part)
                time.sleep(pause)
            while chunk := connection.recv(65536):
                received += chunk
        except OSError:
            pass
        return bytes(received)


def request(body, *headers, close=True, length=None):
    lines = [b"POST /v1/keyphrases HTTP/1.1", b"Host: localhost", b"Content-Type: application/json", *headers]
    if close:
        lines.append(b"Connection: close")
    lines.append(b"Content-Length: %d" % (len(body) if length is None else length))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"\x00\x01\x02\x03\r\n\r\n", 400),
        (b"GET / SMTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        (b"GET /\xc3\xa4 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),  # a path that is not ASCII
        (b"GET / HTTP/1.1\r\n\r\n", 400),  # no Host
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 40_000, 400),  # endless headers
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 40_000 + b"\r\n\r\n", 431),  # row 14: all at once
        (request(b"{}", b"Transfer-Encoding: chunked"), 400),  # row 14: two lengths
        (b"POST / HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),  # another one
        (b"POST /v1/keyphrases HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n", 400),
        (b"POST /v1/keyphrases HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999\r\n\r\n{", 408),
        (b"POST /v1/keyphrases HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    ],
)
def test_what_is_no_http_gets_an_answer_and_is_closed(server, raw, status):
    answer = exchange(server, raw)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:200]
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["message"]


def test_a_body_that_never_ends_is_answered_408(server):
    started = time.monotonic()
    answer = exchange(server, request(b'{"text": "', length=1000))
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"did not arrive within 2 seconds" in answer
    assert time.monotonic() - started < 5


def test_headers_that_never_end_are_closed(server):
    started = time.monotonic()
    assert exchange(server, b"GET / HTTP/1.1\r\n", b"Host: localhost\r\n", pause=0.5) == b""
    assert time.monotonic() - started < 6


def test_a_body_without_length_is_counted_while_it_streams(server):
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    head = b"POST /v1/keyphrases HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = exchange(server, head, *[chunk] * 20, b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413 ")


def chunked(body, size):
    """A request for keyphrases whose body comes in chunks of a size."""
    head = b"POST /v1/keyphrases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    pieces = [body[place : place + size] for place in range(0, len(body), size)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    return head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"


@pytest.mark.parametrize(
    ("length", "size", "status"), [(900, 1, 200), (40_000, 1, 400), (40_000, 8, 400), (40_000, 20, 200)]
)
def test_a_body_in_very_many_very_small_chunks_is_refused(server, length, size, status):
    body = json.dumps({"text": TEXT}).encode()
    answer = exchange(server, chunked(body + b" " * (length - len(body)), size))
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:300]
    assert status == 200 or b"in chunks of less than 16 bytes" in answer


def test_slow_clients_do_not_keep_others_waiting(server):
    slow = []
    for _ in range(50):
        connection = socket.create_connection(("127.0.0.1", server.port))
        connection.sendall(request(b'{"text"', length=100))
        slow.append(connection)
    started = time.monotonic()
    assert server.keyphrases({"text": TEXT}).status == 200
    assert time.monotonic() - started < 10  # one after the other they would take 100 seconds
    for connection in slow:
        connection.close()


def bodies(seed):
    """Requests that were right once: bytes changed, cut, doubled, or types exchanged."""
    draw = random.Random(seed)
    whole = json.dumps({"title": "Robots", "text": TEXT, "top": 3, "deny": ["robot"], "min_score": 0.1}).encode()
    values = [None, True, -1, 0, 1e308, 10**30, "", "\x00", "💥" * 50, [], {}, [[[]]], {"text": "a"}]
    for _ in range(300):
        body = bytearray(whole)
        match draw.randrange(4):
            case 0:
                for _ in range(draw.randint(1, 8)):
                    body[draw.randrange(len(body))] = draw.randrange(256)
            case 1:
                del body[draw.randrange(len(body)) :]
            case 2:
                place = draw.randrange(len(body))
                body[place:place] = draw.choice([b"[", b"{", b'"', b"\\u", b"\xf0\x9f"]) * draw.choice([1, 300])
            case 3:
                fields = ["text", "title", "documents", "top", "present", "allow", "deny", "min_score", "system", "id"]
                chosen = {name: draw.choice(values) for name in draw.sample(fields, draw.randint(1, 4))}
                body = json.dumps({"text": TEXT, **chosen}).encode()
        yield bytes(body)


def test_fuzzed_bodies_are_answered_and_break_nothing(server):
    statuses = {server.keyphrases(body).status for body in bodies(seed=7)}
    assert statuses <= {200, 400, 413, 422}, statuses
    assert {200, 400, 422} <= statuses  # the fuzzing reached all of them
    assert server.keyphrases({"text": TEXT}).status == 200


def test_past_the_queue_requests_are_shed_with_503_and_all_are_answered(tmp_path):
    long = TEXT * 500
    with running(tmp_path, "textrank", "--queue", 4, "--batch", 1, "--threads", 1) as server:
        with ThreadPoolExecutor(24) as pool:
            answers = list(pool.map(lambda _: server.keyphrases({"text": long}), range(48)))
        statuses = [answer.status for answer in answers]
        assert set(statuses) == {200, 503}
        shed = next(answer for answer in answers if answer.status == 503)
        assert shed.headers["retry-after"] == "1"
        assert "try again" in shed.error["message"]
        assert server.keyphrases({"text": long}).status == 200  # it recovers


def test_a_prediction_over_the_limit_is_answered_408(tmp_path):
    with running(tmp_path, "textrank", "--timeout", 0.1, "--threads", 1, "--max-text", 3_000_000) as server:
        answer = server.keyphrases({"text": TEXT * 40_000})  # a second and more, even on a fast machine
        assert answer.status == 408
        assert "shorter or fewer" in answer.error["message"]
        assert server.ask("/healthz").status == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_it_finish_what_it_has_and_leave_with_0(tmp_path, number):
    with running(tmp_path, "textrank") as server:
        answers = []
        client = threading.Thread(target=lambda: answers.append(server.keyphrases({"text": TEXT * 1_500})))
        client.start()
        deadline = time.monotonic() + 10
        while "keyseq_batch_documents_count 1.0" not in server.ask("/metrics").body.decode():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert server.stop(number) == 0
        client.join()
        assert answers[0].status == 200
        with pytest.raises(OSError, match="refused"):
            server.ask("/healthz")


def test_finding_24_a_server_that_drains_says_so_and_serves_on_before_its_port_closes(tmp_path):
    with running(tmp_path, "textrank", "--drain", 600) as server:  # a busy machine may need seconds for what follows
        server.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 10
        while (answer := server.ask("/readyz")).status == 200:
            assert time.monotonic() < deadline
        assert answer.status == 503
        assert "about to stop" in answer.error["message"]
        assert server.ask("/healthz").status == 200  # or Kubernetes would kill it
        assert server.keyphrases({"text": TEXT}).status == 200
        assert "keyseq_draining 1.0" in server.ask("/metrics").body.decode()
        assert server.stop() == 0
        with pytest.raises(OSError, match="refused"):
            server.ask("/healthz")


def test_a_server_that_has_drained_ends(tmp_path):
    with running(tmp_path, "textrank", "--drain", 1) as server:
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=30) == 0
        assert time.monotonic() - began >= 1


def test_a_second_signal_ends_the_draining(tmp_path):
    with running(tmp_path, "textrank", "--drain", 600) as server:
        server.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 10
        while server.ask("/readyz").status == 200:
            assert time.monotonic() < deadline
        assert server.stop() == 0


LISTEN = """
from keyseq.serving.server import Address, bind, serve
from keyseq.serving.server_settings import Limits
listener = bind(Address("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
"""
PLENTY = """
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while (kind := (await receive())["type"]) != "lifespan.shutdown":
            await send({"type": f"{kind}.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"50000000")]})
    await send({"type": "http.response.body", "body": bytes(50_000_000)})
"""


@contextlib.contextmanager
def scripted(script):
    """A server of a script's own making, its port."""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        port = int(process.stdout.readline())
        assert any(b"startup complete" in line for line in process.stderr)
        yield port
    finally:
        process.kill()
        process.communicate()


def asked(port, path):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as late:
        late.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return late.recv(65536).lower()


@pytest.mark.parametrize("limits", ["connections=3", "client=3"])
def test_row_7_connections_past_the_most_are_refused_with_an_answer_but_health_is_told(limits):
    with scripted(f"{LISTEN}{PLENTY}serve(app, listener, Limits({limits}))") as port:
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        time.sleep(0.2)
        refused = asked(port, b"/v1/systems")
        assert refused.startswith(b"http/1.1 503 ")
        assert b"retry-after: 1" in refused
        for path in (b"/healthz", b"/keyseq/readyz"):
            assert asked(port, path).startswith(b"http/1.1 200 ")
        for connection in held:
            connection.close()
        time.sleep(0.2)
        assert asked(port, b"/v1/systems").startswith(b"http/1.1 200 ")


def test_row_7_idle_connections_without_number_do_not_hide_that_a_server_is_well(tmp_path):
    with running(tmp_path, "textrank") as server, contextlib.ExitStack() as stack:
        for _ in range(1_060):  # more than one client may have and than are spared
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        deadline = time.monotonic() + 15
        while server.ask("/healthz").status != 200:  # those that were spared last two seconds
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert server.ask("/readyz").status == 200
        assert server.ask("/v1/systems").status == 503


def test_an_answer_that_nobody_takes_is_dropped():
    with (
        scripted(f"{LISTEN}{PLENTY}serve(app, listener, Limits(arrival=1))") as port,
        socket.create_connection(("127.0.0.1", port), timeout=10) as connection,
    ):
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(2.5)
        received = 0
        try:
            while chunk := connection.recv(1 << 20):
                received += len(chunk)
        except ConnectionResetError:
            pass
        assert received < 50_000_000


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("no.such.host.invalid", "--host is an address of this machine"),
        ("a" * 70, "--host is an address of this machine"),
        ("192.0.2.1", "192.0.2.1 is not an address of this machine; choose another --host"),
    ],
)
def test_finding_26_a_bad_host_is_told_as_such_and_not_as_a_bad_port(host, said):
    with pytest.raises(KeyseqError) as refused:
        bind(Address(host, 0))
    assert said in str(refused.value)
    assert "--port" not in str(refused.value)


def test_a_port_that_is_taken_is_a_users_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "keyseq", "serve", "textrank", "--port", port]
        result = subprocess.run(command, capture_output=True, text=True, env={**os.environ})
    assert result.returncode == 2
    assert "cannot listen on" in result.stderr
    assert "Traceback" not in result.stderr
