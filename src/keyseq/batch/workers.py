"""Shards predicted by several processes of this machine: each loads the system once, and a dead one is replaced."""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from keyseq.batch.distribution import distribute
from keyseq.batch.shards import Failed, Made, Maker, Refused, Shard
from keyseq.data.parallel import end_with
from keyseq.systems.recipe import Recipe

RETRIES = 1  # a shard that runs out of memory twice will do so again
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Workers:
    """An engine of `count` processes."""

    def __init__(self, count: int) -> None:
        self._count = count

    def run(self, shards: Iterator[Shard], recipe: Recipe, format: str) -> Iterator[Made | Failed]:
        """Yield the result of each shard."""
        return distribute(shards, _Processes(self._count, recipe, format))


class _Processes:
    """The processes of a job, which all follow one recipe."""

    retries = RETRIES

    def __init__(self, count: int, recipe: Recipe, format: str) -> None:
        self.count, self._recipe, self._format = count, recipe, format

    def start(self) -> "_Process":
        return _Process(Maker(self._recipe, self._format))

    def ready(self, workers: Sequence["_Process"]) -> list["_Process"]:
        ready = wait([worker.connection for worker in workers])
        return [worker for worker in workers if worker.connection in ready]


class _Process:
    """A worker process on this machine."""

    shard: Shard

    def __init__(self, maker: Maker) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, os.getpid(), maker), daemon=True)
        self._process.start()
        other.close()  # so that the end of the process is the end of the connection

    def assign(self, shard: Shard) -> None:
        self.shard = shard
        with suppress(OSError):  # it has died, which `answer` reports
            self.connection.send(shard)

    def answer(self) -> Made | Failed | Refused | None:
        try:
            answer: Made | Failed | Refused = self.connection.recv()
        except (EOFError, OSError):
            return None
        return answer

    def end(self) -> str:
        self._process.join()
        code = self._process.exitcode or 0
        if code == -signal.SIGKILL:
            return "was killed, possibly out of memory"
        return f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


def _serve(connection: Connection, parent: int, maker: Maker) -> None:
    """Answer each shard with its result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets it too, and stops this process
    end_with(parent)
    os.environ |= dict.fromkeys(ONE_THREAD, "1")
    with suppress(EOFError, ConnectionError):  # the parent is gone
        while True:
            connection.send(maker.make(connection.recv()))
