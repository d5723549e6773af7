"""Servers that tests share."""

import pytest
from tests.serving.running import running
from tests.systems.tiny_combined import train_tiny

TOKEN = "a-token-for-the-tests"


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A server as most people run it, with small limits so that tests reach them."""
    arguments = ("textrank", "tfidf", "--max-text", 20_000, "--max-body", 0.25, "--max-upload", 0.5, "--arrival", 2)
    with running(tmp_path_factory.mktemp("server"), *arguments) as server:
        yield server


@pytest.fixture(scope="session")
def guarded(tmp_path_factory):
    """A server that asks for a token and lets another origin in."""
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "token").write_text(f"{TOKEN}\n")
    names = ("--cors-origin", "https://example.org", "--allow-host", "keys.example.org")
    with running(folder, "textrank", "--token-file", folder / "token", *names) as server:
        yield server


@pytest.fixture(scope="session")
def explaining(tmp_path_factory):
    """A server of a combined system, which gives evidence for its phrases, and of one that does not."""
    folder = tmp_path_factory.mktemp("explaining")
    with running(folder, train_tiny(folder), "textrank") as server:
        yield server
