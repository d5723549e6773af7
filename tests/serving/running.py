"""A real server in a process of its own."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Answer:
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        assert set(self.json) == {"error"}
        assert set(self.json["error"]) == {"message", "place"}
        return self.json["error"]


@dataclass
class RunningServer:
    process: subprocess.Popen
    port: int
    stderr: Path

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, path, body=None, method=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(connection):
            headers = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method or ("GET" if body is None else "POST"), path, body, headers)
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, fields, response.read())

    def keyphrases(self, request, **headers):
        body = request if isinstance(request, bytes | str) else json.dumps(request)
        return self.ask("/v1/keyphrases", body, **{"Content_Type": "application/json", **headers})

    def logged(self):
        return [json.loads(line) for line in self.stderr.read_text().splitlines() if line.startswith("{")]

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(timeout=30)


@contextlib.contextmanager
def running(folder, *arguments, program=(sys.executable, "-m", "keyseq")):
    stderr = folder / "stderr.txt"
    with stderr.open("w") as log:
        command = [*program, "serve", "--port", "0", *map(str, arguments)]
        process = subprocess.Popen(command, stderr=log, stdout=log, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    try:
        yield RunningServer(process, _port(process, stderr), stderr)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _port(process, stderr):
    for _ in range(600):
        found = re.search(r"serves http://[\d.]+:(\d+)/", stderr.read_text())
        if found and "startup complete" in stderr.read_text():
            return int(found[1])
        assert process.poll() is None, stderr.read_text()
        time.sleep(0.05)
    raise AssertionError(f"the server did not start: {stderr.read_text()}")
