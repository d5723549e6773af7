"""A server behind a reverse proxy that offers it under a path of its own, as a Kubernetes ingress does."""

import asyncio
import contextlib
import threading

import pytest
from tests.serving.running import RunningServer, running

from keyseq.errors import KeyseqError
from keyseq.serving.root_path import checked_root_path

PREFIX = "/tools/keyseq"
TEXT = "Voice recognition lets a social robot follow spoken commands."


class ReverseProxy:
    """Passes on requests under a prefix, one a connection; `strips` is whether it takes the prefix off."""

    def __init__(self, port, *, strips):
        self._port, self._strips, self._started = port, strips, threading.Event()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._run, daemon=True).start()
        assert self._started.wait(10)

    def _run(self):
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        self._loop.run_forever()
        self._loop.close()

    async def _serve(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, _, headers = head.partition("\r\n")
        method, path, version = line.split(" ")
        if not path.startswith(PREFIX):
            writer.write(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            writer.close()
            return
        path = path.removeprefix(PREFIX) or "/" if self._strips else path
        kept = [one for one in headers.split("\r\n") if one and not one.lower().startswith("connection:")]
        behind, out = await asyncio.open_connection("127.0.0.1", self._port)
        out.write("\r\n".join([f"{method} {path} {version}", *kept, "Connection: close", "", ""]).encode("latin-1"))
        await asyncio.gather(_pump(reader, out, close=False), _pump(behind, writer, close=True))

    def close(self):
        self._loop.call_soon_threadsafe(self._loop.stop)


async def _pump(reader, writer, *, close):
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    if close:
        writer.close()


@pytest.fixture(scope="module", params=[True, False], ids=["stripped", "passed on"])
def behind(request, tmp_path_factory):
    """A server as it is seen through the proxy."""
    folder = tmp_path_factory.mktemp("behind")
    (folder / "token").write_text("a-token-for-the-tests")
    with running(folder, "textrank", "--root-path", PREFIX, "--token-file", folder / "token") as server:
        proxy = ReverseProxy(server.port, strips=request.param)
        yield RunningServer(server.process, proxy.port, server.stderr)
        proxy.close()


def test_finding_24_every_endpoint_answers_under_the_prefix_and_the_token_guards_it(behind):
    token = {"Authorization": "Bearer a-token-for-the-tests", "Content_Type": "application/json"}
    path = f"{PREFIX}/v1/keyphrases"
    assert behind.ask(path, f'{{"text": "{TEXT}"}}', **token).status == 200
    assert behind.ask(path, f'{{"text": "{TEXT}"}}', Content_Type="application/json").status == 401
    assert behind.ask(f"{PREFIX}/healthz").status == 200
    metrics = behind.ask(f"{PREFIX}/metrics", **token).body.decode()
    assert 'path="/v1/keyphrases",status="200"' in metrics
    assert behind.ask(f"{PREFIX}/openapi.json").json["servers"] == [{"url": PREFIX}]


def test_finding_24_the_page_works_under_the_prefix(behind, browser):
    page = browser.new_page()
    page.set_default_timeout(10_000)
    missed = []
    page.on("response", lambda response: missed.append(response.url) if response.status == 404 else None)
    page.goto(f"{behind.url}{PREFIX}/")
    page.fill("#token", "a-token-for-the-tests")
    page.keyboard.press("Enter")
    page.fill("#text", TEXT)
    page.wait_for_selector("body:not(.busy) .row")
    page.click("text=API")
    page.wait_for_selector("text=POST /v1/keyphrases")
    assert f"{behind.url}{PREFIX}/v1/keyphrases'" in page.locator("#endpoints pre").first.text_content()
    page.close()
    assert missed == []


@pytest.mark.parametrize(
    ("given", "path"), [("", ""), ("/", ""), ("keyseq", "/keyseq"), ("/a/b/", "/a/b"), ("/a-b_c.d~", "/a-b_c.d~")]
)
def test_a_root_path_has_one_slash_at_its_beginning(given, path):
    assert checked_root_path(given) == path


@pytest.mark.parametrize("given", ["/a b", "/a?b", "http://example.org/a", "/a/../b", "/ä", "//a//b"])
def test_what_is_no_path_is_refused(given):
    with pytest.raises(KeyseqError, match=r"--root-path .* is not a path; write one such as /keyseq"):
        checked_root_path(given)
