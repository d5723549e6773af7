"""The endpoints of a real server, as a client sees them."""

import json
import time

import pytest
from starlette.testclient import TestClient
from tests.systems.tiny_combined import QUESTION, package_tiny
from tests.systems.tiny_combined import TEXT as ROBOT

from keyseq.serving.app import build
from keyseq.serving.loaded_systems import Asked, LoadedSystems
from keyseq.systems import load
from keyseq.systems.auto import AutoSystem
from keyseq.version import __version__

TEXT = (
    "Voice recognition lets a social robot follow spoken commands. "
    "With voice recognition, human-robot interaction becomes easier for older people."
)


def test_one_text_gives_what_the_library_gives(server):
    answer = server.keyphrases({"text": TEXT, "system": "textrank", "top": 3})
    assert answer.status == 200
    assert answer.json["system"] == "textrank"
    assert answer.json["version"] == __version__
    [document] = answer.json["documents"]
    [expected] = load("textrank", top=3).predict([TEXT])
    assert [phrase["text"] for phrase in document["keyphrases"]] == [phrase.text for phrase in expected]
    for given, phrase in zip(document["keyphrases"], expected, strict=True):
        assert given["spans"] == [list(span) for span in phrase.spans]
        assert given["score"] == pytest.approx(phrase.score, abs=1e-6)


def test_spans_count_characters_of_the_title_and_of_the_text_as_sent(server):
    title, text = "😀 Voice recognition", "😀😀 On voice recognition by robots."
    [document] = server.keyphrases({"title": title, "text": text}).json["documents"]
    phrase = next(phrase for phrase in document["keyphrases"] if phrase["text"].lower() == "voice recognition")
    assert [title[start:end].lower() for start, end in phrase["title_spans"]] == ["voice recognition"]
    assert [text[start:end].lower() for start, end in phrase["spans"]] == ["voice recognition"]


def test_finding_25_a_title_alone_is_accepted_as_on_the_command_line(server):
    for empty in ({}, {"text": ""}):
        [document] = server.keyphrases({"title": "Voice recognition by social robots", **empty}).json["documents"]
        [expected] = load("textrank").predict(["Voice recognition by social robots"])
        assert [phrase["text"] for phrase in document["keyphrases"]] == [phrase.text for phrase in expected] != []
        assert document["keyphrases"][0]["title_spans"] == [list(span) for span in expected[0].spans]
        assert document["keyphrases"][0]["spans"] == []


def test_a_language_can_be_asked_for(server):
    text = "Die Spracherkennung des Roboters versteht gesprochene Befehle älterer Menschen."
    [document] = server.keyphrases({"text": text, "language": "de"}).json["documents"]
    [expected] = load("textrank", language="de").predict([text])
    assert [phrase["text"] for phrase in document["keyphrases"]] == [phrase.text for phrase in expected] != []


def test_several_documents_come_back_in_order_with_their_ids(server):
    rows = [{"text": f"{name} robots deliver parcels.", "id": name} for name in ("blue", "green", "red")]
    answer = server.keyphrases({"documents": [*rows, {"text": "yellow robots deliver parcels."}], "top": 1})
    assert [document["id"] for document in answer.json["documents"]] == ["blue", "green", "red", "4"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"min_score": 1}, 1),  # the best has 1
        ({"present": False}, 0),  # textrank only finds what is there
        ({"present": True, "top": 2}, 2),
        ({"top": 2, "deny": ["voice recognition"]}, 2),
    ],
)
def test_options_mean_what_they_mean_for_generate(server, options, expected):
    [document] = server.keyphrases({"text": TEXT, **options}).json["documents"]
    assert len(document["keyphrases"]) == expected
    assert "deny" not in options or "voice recognition" not in {
        phrase["text"].lower() for phrase in document["keyphrases"]
    }


@pytest.fixture(scope="module")
def network():
    with TestClient(build(LoadedSystems(["scholar-network"])), base_url="http://127.0.0.1") as client:
        yield client


@pytest.mark.parametrize(
    "settings",
    [
        {"decoding": "beam", "beam": 3},
        {"decoding": "exhaustive", "beam": 4, "ranking": "share", "min_share": 0.2},
        {"decoding": "exhaustive", "beam": 4, "ranking": "sequence", "top": 2, "present": True},
        {"decoding": "exhaustive", "beam": 4, "allow": ["voice recognition", "robots"]},
        {"min_score": 0.2, "deny": ["social robots"]},
    ],
)
def test_every_setting_of_a_network_means_what_it_means_for_the_library(network, settings):
    answer = network.post("/v1/keyphrases", json={"text": TEXT, **settings})
    assert answer.status_code == 200, answer.text
    [document] = answer.json()["documents"]
    [expected] = load("scholar-network", **settings).predict([TEXT])
    assert [phrase["text"] for phrase in document["keyphrases"]] == [phrase.text for phrase in expected] != []


def test_evidence_comes_only_when_asked_for(explaining):
    [plain] = explaining.keyphrases({"text": ROBOT}).json["documents"]
    [document] = explaining.keyphrases({"text": ROBOT, "explain": True}).json["documents"]
    assert all("evidence" not in phrase for phrase in plain["keyphrases"])
    assert document["keyphrases"][0]["evidence"] == {
        "sources": ["text", "profiles"],
        "occurrences": 2,
        "in_title": True,
        "keyphrase_of": 14,
        "contained_in": 22,
        "share": None,
        "rank": 2,
        "terms": ["Voice recognition", "Voice", "recognition", "spoken"],
        "system": "tiny",  # not the folder, whose place is nobody's business
        "language": "en",
        "language_confidence": None,  # it was not detected
    }
    assert "system" not in document  # it gave the phrases itself
    for phrase in document["keyphrases"]:
        del phrase["evidence"]
    assert document == plain


def test_a_system_without_evidence_answers_null(explaining):
    request = {"text": ROBOT, "system": "textrank", "explain": True}
    [document] = explaining.keyphrases(request).json["documents"]
    assert document["keyphrases"]
    assert {phrase["evidence"] for phrase in document["keyphrases"]} == {None}


def test_beta_is_the_dial_between_fewer_and_more(explaining):
    counts = [
        len(explaining.keyphrases({"text": ROBOT, "beta": beta}).json["documents"][0]["keyphrases"])
        for beta in (0.1, 1, 5)
    ]
    assert counts == sorted(counts)
    assert counts[0] < counts[2]
    assert explaining.keyphrases({"text": ROBOT, "beta": 0}).error["place"] == "beta"
    assert explaining.keyphrases({"text": ROBOT, "beta": 2, "system": "textrank"}).error["place"] == "beta"


def test_each_document_names_the_system_that_the_default_chose(tmp_path, monkeypatch):
    monkeypatch.setattr("keyseq.systems.auto.PRETRAINED", package_tiny(tmp_path))
    with TestClient(build(LoadedSystems(["auto"])), base_url="http://localhost") as client:
        request = {"documents": [{"text": ROBOT}, {"text": QUESTION}], "explain": True}
        answer = client.post("/v1/keyphrases", json=request).json()
    first, second = answer["documents"]
    assert answer["system"] == "auto"
    chosen = AutoSystem().choose([ROBOT, QUESTION])
    assert [first["system"], second["system"]] == chosen
    assert chosen[0] != chosen[1]
    assert {phrase["evidence"]["system"] for phrase in second["keyphrases"]} == {chosen[1]}


def test_systems_tell_what_they_can_be_asked_for(server, network):
    of_network = network.get("/v1/systems").json()
    assert {"decoding", "beam", "ranking", "min_share", "allow", "top"} <= set(of_network["systems"][0]["settings"])
    assert of_network["decodings"] == ["distinct", "greedy", "beam", "exhaustive", "sampling"]
    textrank = server.ask("/v1/systems").json["systems"][0]
    assert textrank["settings"] == ["top", "min_score", "present", "deny", "candidates", "language"]


@pytest.mark.parametrize(
    ("request_body", "status", "place", "said"),
    [
        (b"{", 400, "body", "not valid JSON"),
        (b"", 422, "body", "missing"),
        (b'{"text": "\xff"}', 400, "body", "not valid JSON"),
        (b'{"text": "\\ud800"}', 400, "body", "not valid JSON"),  # half a character
        (b'{"text": "a", "min_score": NaN}', 400, "body", "not valid JSON"),
        (b'{"text": "a", "top": 1e999}', 422, "top", "integer"),
        (b'{"text": "a", "top": ' + b"9" * 5000 + b"}", 400, "body", "out of range"),
        (b'{"text": "a", "top": 99999999999999999999}', 422, "top", "less than or equal to 1000"),
        (b"[" * 100_000, 400, "body", "recursion"),
        (b'{"text": ' + b'{"a":' * 5000 + b"1" + b"}" * 5001, 400, "body", "recursion"),
        (b"[]", 422, "body", "JSON object"),
        ({}, 422, "text", "text is empty; send a text, a title or both"),
        ({"text": "", "title": ""}, 422, "text", "text is empty"),
        ({"documents": [{"text": "a"}, {"id": "b"}]}, 422, "documents[1].text", "documents[1].text is empty"),
        ({"text": "a", "language": "xx"}, 422, "language", "unknown language 'xx'"),
        ({"text": 5}, 422, "text", "should be a valid string"),
        ({"text": "a", "top": "5"}, 422, "top", "integer"),
        ({"text": "a", "top": 0}, 422, "top", "greater than or equal to 1"),
        ({"text": "a", "tpo": 5}, 422, "tpo", "did you mean 'top'?"),
        ({"text": "a", "system": "textrnk"}, 422, "system", "did you mean 'textrank'?"),
        ({"text": "a", "allow": ["robots"]}, 422, "allow", "textrank has no setting 'allow'"),
        ({"text": "a", "beam": 3}, 422, "beam", "textrank has no setting 'beam'"),
        ({"text": "a", "beam": 201}, 422, "beam", "less than or equal to 200"),
        ({"text": "a", "decoding": "magic"}, 422, "decoding", "'distinct', 'greedy'"),
        ({"text": "a", "min_share": 1.5}, 422, "min_share", "less than or equal to 1"),
        ({"documents": []}, 422, "documents", "documents is empty; send at least one"),
        ({"documents": [{"text": "a"}], "text": "b"}, 422, "text", "text is a field of a request without documents"),
        ({"documents": [{"text": "a"}, {"text": None}]}, 422, "documents[1].text", "documents[1].text"),
        ({"documents": [{"text": "a"}, {"txet": "b", "text": "c"}]}, 422, "documents[1].txet", "did you mean 'text'?"),
        ({"documents": [{"text": "a"}, {"text": "b" * 20_001}]}, 413, "documents[1].text", "20,001 characters"),
        ({"text": "b" * 20_001}, 413, "text", "the limit is 20,000"),
        ({"documents": [{"text": "a"}] * 65}, 413, "documents", "the limit is 64"),
        ({"text": "a", "deny": ["x"] * 10_001}, 413, "deny", "10,000 phrases"),
        (json.dumps({"text": "b" * 300_000}), 413, None, "262,144 bytes"),
    ],
)
def test_a_bad_request_is_told_what_is_wrong_and_where(server, request_body, status, place, said):
    answer = server.keyphrases(request_body)
    assert answer.status == status, answer.body
    assert answer.error["place"] == place
    assert said in answer.error["message"]
    assert "\n" not in answer.error["message"]


def test_what_is_not_json_is_refused_so_that_other_sites_cannot_post_forms(server):
    answer = server.keyphrases({"text": TEXT}, Content_Type="text/plain")
    assert answer.status == 415
    assert "application/json" in answer.error["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/v1/keyphrases", 405),
        ("DELETE", "/v1/systems", 405),
        ("POST", "/", 405),
        ("GET", "/../settings.py", 404),
        ("GET", "/%2e%2e/app.py", 404),
        ("GET", "/app.py", 404),
    ],
)
def test_what_is_not_there_is_refused_in_the_same_shape(server, method, path, status):
    answer = server.ask(path, method=method)
    assert answer.status == status
    said = "there is no such path; /docs lists those that there are"
    if status == 405:
        said = f"{method} is not for this path; use {answer.headers['allow']}"
    assert answer.error["message"] == said


def test_systems_are_listed_with_the_limits_that_a_page_needs(server):
    answer = server.ask("/v1/systems").json
    assert [(entry["name"], entry["default"]) for entry in answer["systems"]] == [("textrank", True), ("tfidf", False)]
    assert answer["limits"]["text"] == 20_000


def test_health_and_readiness_are_told(server):
    assert server.ask("/healthz").json == {"status": "ok"}
    assert server.ask("/readyz").json == {"status": "ready"}


def test_metrics_count_requests_and_documents_but_no_invented_paths(server):
    server.keyphrases({"documents": [{"text": TEXT}] * 3, "system": "tfidf"})
    server.ask("/invented")
    text = server.ask("/metrics").body.decode()
    assert 'keyseq_requests_total{method="POST",path="/v1/keyphrases",status="200"}' in text
    assert 'keyseq_documents_total{system="tfidf"}' in text
    assert "invented" not in text
    assert "keyseq_waiting_documents 0.0" in text


def wait_for(found):
    """What is there soon: the log is written when the answer has gone out."""
    for _ in range(100):
        if result := found():
            return result
        time.sleep(0.02)
    raise AssertionError("it never came")


def test_the_log_names_every_request_but_never_a_text(server):
    answer = server.keyphrases({"text": "Zanzibar archipelago tourism", "top": 1}, X_Request_Id="my-own-id")
    assert answer.headers["x-request-id"] == "my-own-id"
    [line] = wait_for(lambda: [line for line in server.logged() if line.get("id") == "my-own-id"])
    assert (line["method"], line["path"], line["status"]) == ("POST", "/v1/keyphrases", 200)
    assert (line["system"], line["documents"]) == ("textrank", 1)
    assert "zanzibar" not in server.stderr.read_text().lower()


def test_an_id_that_could_forge_the_log_is_replaced(server):
    assert server.ask("/healthz", X_Request_Id='x", "status": 1').headers["x-request-id"].isalnum()


def test_openapi_lists_the_endpoints(server):
    described = server.ask("/openapi.json").json
    assert set(described["paths"]) == {
        "/v1/keyphrases",
        "/v1/keyphrases/stream",
        "/v1/documents",
        "/v1/library",
        "/v1/feedback",
        "/v1/systems",
        "/healthz",
        "/readyz",
        "/metrics",
    }
    assert "ErrorAnswer" in described["components"]["schemas"]


class Broken:
    """A catalogue whose system has a defect."""

    def resolve(self, _name, _options):
        return Asked("broken", ())

    def predict(self, _asked, _documents):
        raise RuntimeError("a defect")


def test_a_defect_is_answered_and_told_in_the_log_only():
    with TestClient(build(Broken()), raise_server_exceptions=False) as client:
        answer = client.post("/v1/keyphrases", json={"text": TEXT})
    assert answer.status_code == 500
    assert answer.headers["x-request-id"] in answer.json()["error"]["message"]
    assert "a defect" not in answer.text.replace("internal error", "")
