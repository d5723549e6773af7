"""Shards by several processes of this machine: each loads the system once, and one that dies is replaced."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from keyseq.batch.shards import Failed, Made, Maker, Shard
from keyseq.data.parallel import end_with
from keyseq.errors import KeyseqError
from keyseq.systems.recipe import Recipe

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Workers:
    """So many processes, with a shard each and one read ahead."""

    def __init__(self, count: int) -> None:
        self._count = count

    def run(self, shards: Iterator[Shard], recipe: Recipe, format: str) -> Iterator[Made | Failed]:
        """Yield what becomes of each shard. One whose worker dies is given to another, once."""
        idle: list[_Worker] = []
        busy: list[_Worker] = []
        retried: set[int] = set()
        try:
            following = next(shards, None)
            while following or busy:
                while following and len(busy) < self._count:
                    worker = idle.pop() if idle else _Worker(recipe, format)
                    busy.append(worker)
                    worker.give(following)
                    following = next(shards, None)
                for worker in _answering(busy):
                    answer = worker.answer()
                    busy.remove(worker)
                    if answer is not None:
                        idle.append(worker)
                        yield answer
                    elif worker.shard.number in retried:
                        yield Failed(worker.shard.number, f"its worker {worker.end()}, twice")
                    else:
                        retried.add(worker.shard.number)
                        busy.append(_Worker(recipe, format))
                        busy[-1].give(worker.shard)
        finally:
            for worker in (*idle, *busy):
                worker.stop()


class _Worker:
    """A process that works on one shard at a time."""

    shard: Shard

    def __init__(self, recipe: Recipe, format: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, os.getpid(), recipe, format), daemon=True)
        self._process.start()
        other.close()  # so that the end of the process is the end of the connection

    def give(self, shard: Shard) -> None:
        self.shard = shard
        with suppress(OSError):  # it has died: reading from the connection tells
            self.connection.send(shard)

    def answer(self) -> Made | Failed | None:
        """What became of the shard; None if the process has died over it."""
        try:
            answer: Made | Failed | str = self.connection.recv()
        except (EOFError, OSError):
            return None
        if isinstance(answer, str):
            raise KeyseqError(answer)
        return answer

    def end(self) -> str:
        """How a process that has died did so."""
        self._process.join()
        code = self._process.exitcode or 0
        if code == -signal.SIGKILL:
            return "was killed, perhaps because the memory was full"
        return f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


def _answering(workers: list[_Worker]) -> list[_Worker]:
    """Those that have something to say, waiting for the first."""
    ready = wait([worker.connection for worker in workers])
    return [worker for worker in workers if worker.connection in ready]


def _serve(connection: Connection, parent: int, recipe: Recipe, format: str) -> None:
    """Answer each shard with what became of it; a system that cannot be loaded with the reason."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one hears it too, and stops it
    end_with(parent)
    os.environ |= dict.fromkeys(ONE_THREAD, "1")
    maker: Maker | None = None
    while True:
        try:
            shard = connection.recv()
            maker = maker or Maker(recipe, format)
            connection.send(maker.make(shard))
        except KeyseqError as error:
            connection.send(str(error))
        except (EOFError, BrokenPipeError):  # nobody is left to work for
            return
