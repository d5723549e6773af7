"""Who may ask, and what a browser may do with the answer."""

import pytest

from keyseq.errors import KeyseqError
from keyseq.serving.security import read_token

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
