"""A server in a process of its own, as an operator starts and stops it, and what it holds."""

import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Server:
    """A server's process and its port."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def descriptors(self) -> int:
        """Files and connections that it has open."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))

    @property
    def memory(self) -> float:
        """MB that it holds now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s*(\d+) kB", status)
        return int(found[1]) / 1024 if found else float("nan")


@contextlib.contextmanager
def serving(system: str, *options: str) -> Iterator[Server]:
    """Run `keyseq serve` on a free port, and stop it as an operator does."""
    with tempfile.NamedTemporaryFile("w+") as log:
        command = [sys.executable, "-m", "keyseq", "serve", system, "--port", "0", *options]
        process = subprocess.Popen(command, stderr=log)
        try:
            yield Server(process, _port(process, Path(log.name)))
        finally:
            process.terminate()
            code = process.wait(60)
        if code != 0:
            raise RuntimeError(f"the server left with exit code {code}")


def _port(process: subprocess.Popen[bytes], log: Path) -> int:
    while process.poll() is None:
        content = log.read_text(encoding="utf-8")
        found = re.search(r"serves http://127\.0\.0\.1:(\d+)/", content)
        if found and "startup complete" in content:
            return int(found[1])
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start: {log.read_text(encoding='utf-8')}")
