"""NDJSON in and out: any number of documents through one request."""

import contextlib
import http.client
import json
import socket
import threading
import time

import pytest
from tests.serving.running import running

NDJSON = "application/x-ndjson"
TEXT = "Voice recognition lets a social robot follow spoken commands."


def lines(body):
    return [json.loads(line) for line in body.splitlines()]


def ask(server, rows, query="", kind=NDJSON):
    body = b"".join(row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows)
    return server.ask(f"/v1/keyphrases/stream{query}", body, Content_Type=kind)


def test_more_documents_than_a_request_may_hold_come_back_in_order(server):
    rows = [{"id": f"d{number}", "text": f"Robot number {number} delivers parcels."} for number in range(200)]
    answer = ask(server, rows, "?top=1")
    assert answer.status == 200
    assert answer.headers["content-type"] == NDJSON
    found = lines(answer.body)
    assert [line["id"] for line in found] == [row["id"] for row in rows]
    assert {len(line["keyphrases"]) for line in found} == {1}


def test_a_bad_line_gets_an_error_and_the_others_their_phrases(server):
    rows = [{"text": TEXT}, b"{\n", {"id": "c", "txet": "a"}, b"\n", {"id": "e", "text": "a" * 20_001},
            b'{"text": "' + b"a" * 300_000 + b'"}\n', {"title": "Social robots"}]  # fmt: skip
    first, *bad, last = lines(ask(server, rows).body)
    assert [line.get("line") for line in bad] == [2, 3, 5, 6]
    assert [line["error"]["place"] for line in bad] == ["line", "txet", "text", None]
    assert "not valid JSON" in bad[0]["error"]["message"]
    assert "did you mean 'text'?" in bad[1]["error"]["message"]
    assert bad[2]["id"] == "e"
    assert "20,001 characters" in bad[2]["error"]["message"]
    assert "262,144 bytes" in bad[3]["error"]["message"]
    assert (first["id"], last["id"]) == ("1", "7")
    [expected] = server.keyphrases({"title": "Social robots"}).json["documents"]
    assert last["keyphrases"] == expected["keyphrases"] != []


def test_settings_are_in_the_query(server, explaining):
    [line] = lines(ask(server, [{"text": TEXT}], "?system=tfidf&top=5&deny=social%20robot&deny=voice").body)
    request = {"text": TEXT, "system": "tfidf", "top": 5, "deny": ["social robot", "voice"]}
    [expected] = server.keyphrases(request).json["documents"]
    assert line == expected
    [line] = lines(ask(explaining, [{"text": TEXT}], "?explain=true&present=true").body)
    assert all(phrase["evidence"] and phrase["present"] for phrase in line["keyphrases"])


@pytest.mark.parametrize(
    ("query", "kind", "status", "place"),
    [
        ("?tpo=5", NDJSON, 422, "tpo"),
        ("?top=x", NDJSON, 422, "top"),
        ("?system=textrnk", NDJSON, 422, "system"),
        ("", "application/json", 415, "Content-Type"),
        ("", "text/plain", 415, "Content-Type"),  # which another site could send
    ],
)
def test_a_bad_stream_is_refused_before_it_begins(server, query, kind, status, place):
    answer = ask(server, [{"text": TEXT}], query, kind)
    assert (answer.status, answer.error["place"]) == (status, place)


def test_an_answer_comes_before_the_next_document_is_sent(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest("POST", "/v1/keyphrases/stream?top=1")
    connection.putheader("Content-Type", NDJSON)
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    response = None
    for number in range(3):
        line = json.dumps({"id": str(number), "text": TEXT}).encode() + b"\n"
        connection.send(b"%x\r\n%s\r\n" % (len(line), line))
        response = response or connection.getresponse()
        assert json.loads(response.readline())["id"] == str(number)
    connection.send(b"0\r\n\r\n")
    assert response.read() == b""
    connection.close()


def test_a_client_that_sends_nothing_more_is_told_and_left(server):  # which waits two seconds for a body
    head = b"POST /v1/keyphrases/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(head + b"Connection: close\r\nContent-Length: 1000\r\n\r\n" + b'{"text": "Robots."}\n')
        received = b"".join(iter(lambda: connection.recv(65536), b""))
    assert b'"keyphrases"' in received
    assert b"nothing arrived for 2 seconds after line 1" in received


def test_a_client_that_does_not_read_is_not_read_from_and_then_left(tmp_path):
    line = json.dumps({"id": "💥" * 200, "text": "too long"}).encode() + b"\n"  # answered at once, at length
    head = b"POST /v1/keyphrases/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
    with running(tmp_path, "firstphrases", "--arrival", 2, "--max-text", 5) as server:
        before = memory(server)
        sent = 0
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
            connection.sendall(head + b"Content-Length: 10000000000\r\n\r\n")
            with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                while sent < 1_000_000_000:  # the server stops reading long before
                    connection.sendall(line * 50)
                    sent += len(line) * 50
        assert sent < 200_000_000
        assert memory(server) - before < 100_000_000
        deadline = time.monotonic() + 10
        while "keyseq_streams 0.0" not in server.ask("/metrics").body.decode():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert server.keyphrases({"text": "Robot"}).status == 200


def memory(server):
    text = server.ask("/metrics").body.decode()
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith("process_resident_memory"))


def test_a_stream_waits_where_single_requests_are_refused_and_leaves_room_for_them(tmp_path):
    rows = [{"id": str(number), "text": TEXT * 100} for number in range(40)]
    with running(tmp_path, "textrank", "--queue", 4, "--batch", 2, "--threads", 1) as server:
        found = []
        streams = [threading.Thread(target=lambda: found.append(lines(ask(server, rows).body))) for _ in range(2)]
        for stream in streams:
            stream.start()
        statuses = {server.keyphrases({"text": TEXT}).status for _ in range(10)}
        for stream in streams:
            stream.join()
    assert [[line["id"] for line in one] for one in found] == [[row["id"] for row in rows]] * 2
    assert all("keyphrases" in line for one in found for line in one)
    assert statuses == {200}
