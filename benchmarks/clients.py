"""HTTP clients that ask again and again on open connections, light enough to leave the cores to the server."""

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@dataclass
class Load:
    """What clients met with: statuses of all answers, and the seconds that the good ones took."""

    seconds: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)
    lost: int = 0  # requests without an answer

    @property
    def rate(self) -> float:
        """Good answers per second."""
        return self.statuses[200] / self.seconds

    def percentile(self, percent: float) -> float:
        """The percentile of the latency of successful answers, in milliseconds."""
        return 1000 * float(np.percentile(self.latencies or [float("nan")], percent))


def message(*texts: str) -> bytes:
    """A request for the keyphrases of texts, as bytes."""
    return posted("/v1/keyphrases", {"documents": [{"text": text} for text in texts]})


def posted(path: str, content: object) -> bytes:
    """A request that sends JSON, as bytes."""
    body = json.dumps(content).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def press(port: int, clients: int, seconds: float, messages: Sequence[bytes]) -> Load:
    """Run concurrent clients for some seconds, each asking as soon as it has its answer, or a moment after a 503."""
    return asyncio.run(pressing(port, clients, seconds, messages))


async def pressing(port: int, clients: int, seconds: float, messages: Sequence[bytes], pause: float = 0.0) -> Load:
    """The same beside other clients, with seconds to `pause` after an answer."""
    load = Load()
    turns = _turns(messages)
    started = time.perf_counter()
    await asyncio.gather(*(_client(port, started + seconds, turns, load, pause) for _ in range(clients)))
    load.seconds = time.perf_counter() - started
    return load


def _turns(messages: Sequence[bytes]) -> Iterator[bytes]:
    while True:
        yield from messages


async def _client(port: int, until: float, turns: Iterator[bytes], load: Load, pause: float) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while (begun := time.perf_counter()) < until:
        writer.write(next(turns))
        try:
            status = await _answer(reader)
        except (OSError, asyncio.IncompleteReadError):
            load.lost += 1
            break
        load.statuses[status] += 1
        if status == 200:
            load.latencies.append(time.perf_counter() - begun)
            await asyncio.sleep(pause)
        else:
            await asyncio.sleep(0.2)
    writer.close()


async def _answer(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    await reader.readexactly(int(length[1]) if length else 0)
    return int(head[9:12])
