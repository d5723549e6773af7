"""Servers that tests share."""

import shutil

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
def tiny(tmp_path_factory):
    """The folder of a combined system."""
    return train_tiny(tmp_path_factory.mktemp("combined"))


@pytest.fixture(scope="session")
def taught(tmp_path_factory):
    """One with trees enough to give a phrase of which it knows no word, as feedback is given on."""
    return train_tiny(tmp_path_factory.mktemp("taught"), trees=20)


@pytest.fixture(scope="session")
def explaining(tiny, tmp_path_factory):
    """A server of a combined system, which gives evidence for its phrases, and of one that does not."""
    with running(tmp_path_factory.mktemp("explaining"), tiny, "textrank") as server:
        yield server


@pytest.fixture
def mine(taught, tmp_path):
    """The folder of a combined system that may learn."""
    return shutil.copytree(taught, tmp_path / "mine")


@pytest.fixture
def visit(browser, server):
    """Opens the page; at the end nothing was complained of, and nothing was asked of another server."""
    contexts, complaints, origins = [], [], set()

    def opened(fragment="", origin=None, **options):
        context = browser.new_context(permissions=["clipboard-read", "clipboard-write"], **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if "Content" in message.text else None)
        page.on("request", lambda request: origins.add(request.url.split("/")[2]))
        page.goto(f"{origin or server.url}/{fragment}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    assert all(origin.startswith("127.0.0.1:") or origin == "" for origin in origins), origins
