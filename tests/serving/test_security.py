"""Authentication, host checks and security headers."""

import pytest

from keyseq.cli.serve import serve
from keyseq.errors import KeyseqError
from keyseq.serving.security import known_hosts, read_token

TOKEN = "a-token-for-the-tests"


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ({}, 401),
        ({"Authorization": TOKEN}, 401),  # no scheme
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": "Bearer \xff"}, 401),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
        ({"Authorization": f"bearer {TOKEN}"}, 200),  # schemes have no case
    ],
)
@pytest.mark.parametrize("path", ["/v1/systems", "/metrics"])
def test_only_the_token_opens_what_is_guarded(guarded, path, header, status):
    answer = guarded.ask(path, **header)
    assert answer.status == status
    if status == 401:
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "Bearer TOKEN" in answer.error["message"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/", "/docs", "/page.css", "/openapi.json"])
def test_health_and_the_page_need_no_token(guarded, path):
    assert guarded.ask(path).status == 200


@pytest.mark.parametrize("path", ["/", "/v1/systems", "/nothing", "/healthz"])
def test_every_answer_carries_the_security_headers(server, path):
    headers = server.ask(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_other_origins_are_let_in_only_if_configured(server, guarded):
    assert "access-control-allow-origin" not in server.ask("/healthz", Origin="https://example.org").headers
    headers = guarded.ask("/healthz", Origin="https://example.org").headers
    assert headers["access-control-allow-origin"] == "https://example.org"
    assert "access-control-allow-origin" not in guarded.ask("/healthz", Origin="https://example.com").headers


def test_a_preflight_needs_no_token(guarded):
    asked = {"Origin": "https://example.org", "Access_Control_Request_Method": "POST"}
    answer = guarded.ask("/v1/keyphrases", method="OPTIONS", Access_Control_Request_Headers="authorization", **asked)
    assert answer.status == 200


@pytest.mark.parametrize("content", ["", "short", "two words of some length", "ünïcödé-tokens-are-no-use"])
def test_a_token_that_is_none_is_refused_before_the_server_starts(tmp_path, content):
    (tmp_path / "token").write_text(content)
    with pytest.raises(KeyseqError, match="at least 16 ASCII characters"):
        read_token(tmp_path / "token")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8080", 200),
        ("localhost", 200),
        ("LOCALHOST.:80", 200),
        ("[::1]:8080", 200),
        ("::1", 200),
        ("evil.example", 421),  # a name that now points here
        ("evil.example:8080", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("evil.example#localhost", 421),
        ("localhost:80:80", 421),
    ],
)
@pytest.mark.parametrize("path", ["/", "/v1/systems", "/healthz"])
def test_a_server_on_this_machine_answers_to_no_other_name(server, path, host, status):
    answer = server.ask(path, Host=host)
    assert answer.status == status
    if status == 421:
        assert "--allow-host" in answer.error["message"]
        assert answer.error["place"] == "Host"
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_name_that_is_allowed_is_answered_to_and_this_machine_still_is(guarded):
    hosts = ("keys.example.org", "keys.example.org:443", "127.0.0.1", "example.org")
    assert [guarded.ask("/healthz", Host=host).status for host in hosts] == [200, 200, 200, 421]


@pytest.mark.parametrize(
    ("bound", "allowed", "known"),
    [
        ("0.0.0.0", [], ()),  # a container's: who reaches it is decided outside
        ("192.168.0.7", [], ()),
        ("192.168.0.7", ["A.example:80"], ("localhost", "127.0.0.1", "::1", "192.168.0.7", "a.example")),
        ("127.0.0.1", [], ("localhost", "127.0.0.1", "::1")),
        ("127.0.0.2", [], ("localhost", "127.0.0.1", "::1", "127.0.0.2")),
        ("127.0.0.1", ["*"], ()),
    ],
)
def test_which_names_a_server_goes_by(bound, allowed, known):
    assert known_hosts(bound, allowed) == known


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ({"allow_host": ["https://keys.example.org/"]}, "write one such as keys.example.org"),
        ({"allow_host": [" "]}, "is not a host name"),
        ({"cors_origin": ["example.org"]}, "write one such as https://example.org"),
    ],
)
def test_names_that_are_none_are_refused_before_the_server_starts(option, told):
    with pytest.raises(KeyseqError, match=told):
        serve(["textrank"], **option)
