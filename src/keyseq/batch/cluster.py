"""Shards predicted by the actors of a Ray cluster: each loads the system once, and a lost one is replaced."""

import os
import re
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from keyseq.batch.distribution import distribute
from keyseq.batch.shards import Failed, Made, Maker, Refused, Shard
from keyseq.errors import KeyseqError, shown
from keyseq.imports import require
from keyseq.systems.recipe import Recipe

RETRIES = 3  # machines of a cluster come and go
PATIENCE = 5.0  # seconds to connect: Ray itself would wait for a minute in silence
_ALIVE = "alive"
_DIED = (
    "the Ray node of this machine has died, and this run with it; run the same command again to make the other parts"
)
_PLACE = re.compile(r"(?:ray://)?(?P<host>[^:/\s]+|\[[0-9a-fA-F:.]+\]):(?P<port>\d{1,5})")


class Cluster:
    """An engine of `count` actors with one core each; by default, as many as the cluster has cores.

    `address` is as in `ray.init`: "auto" is the cluster that this machine belongs to, "local" a new one on this
    machine alone, which ends with the run. Documents are sent to the actors and phrases come back, so that the
    machines of the cluster need no shared file system.
    """

    def __init__(self, address: str = "auto", count: int | None = None) -> None:
        self._address, self._count = _checked(address), count

    def run(self, shards: Iterator[Shard], recipe: Recipe, format: str) -> Iterator[Made | Failed]:
        """Yield the result of each shard."""
        ray = require("ray", "ray")
        joined = not ray.is_initialized()
        if joined:
            _join(ray, self._address, self._count)
        try:
            count = self._count or int(ray.cluster_resources().get("CPU", 1))
            with _epitaph():
                yield from distribute(shards, _Actors(ray, count, Maker(recipe, format)))
        finally:
            if joined:
                ray.shutdown()


@contextmanager
def _epitaph() -> Iterator[None]:
    """Print a message if this process ends within: when the node of this machine dies, Ray ends it silently."""
    if os.name != "posix":
        yield
        return
    command = ["/bin/sh", "-c", f'read -r word; [ "$word" = {_ALIVE} ] || echo "keyseq: {_DIED}" >&2']
    # in a session of its own, since Ctrl-C is for this process
    with subprocess.Popen(  # noqa: S603  # a constant
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True
    ) as shell:
        try:
            yield
        finally:
            shell.communicate(f"{_ALIVE}\n".encode())


def _checked(address: str) -> str:
    """The address, if it is well-formed."""
    if address not in ("auto", "local") and not _PLACE.fullmatch(address):
        raise KeyseqError(f"'{shown(address)}' is not the address of a Ray cluster; use auto, local or HOST:PORT")
    return address


def _join(ray: Any, address: str, count: int | None) -> None:  # a module
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry unless the user turns it on
    _check_reachable(os.environ.get("RAY_ADDRESS", address) if address == "auto" else address)
    local = {"num_cpus": count, "include_dashboard": False} if address == "local" else {}
    if local:
        _match_priority()
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error", **local)
    except Exception as error:  # when a machine is too busy to start Ray in time, that is all it raises
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        what = "Ray did not start on this machine" if local else f"no Ray cluster at '{address}'"
        fix = "try again when it is less busy" if local else "start one with `ray start`, or use local"
        raise KeyseqError(f"{what} ({reason}); {fix}") from None


def _match_priority() -> None:
    """Give actors the priority of this process: by default Ray lowers theirs."""
    if hasattr(os, "getpriority"):  # not on Windows
        os.environ.setdefault("RAY_worker_niceness", str(os.getpriority(os.PRIO_PROCESS, 0)))


def _check_reachable(address: str) -> None:
    """Refuse an address on which nothing listens."""
    place = _PLACE.fullmatch(address)
    if place is None:  # this machine
        return
    try:
        socket.create_connection((place["host"].strip("[]"), int(place["port"])), PATIENCE).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise KeyseqError(
            f"no Ray cluster answers at {address} ({reason}); run `ray status` there to see whether it is up, "
            "and check that no firewall blocks the port"
        ) from None


class _Actors:
    """The actors of a job, which all follow one recipe."""

    retries = RETRIES

    def __init__(self, ray: Any, count: int, maker: Maker) -> None:  # a module
        self.count, self._ray, self._maker = count, ray, maker
        self._kind = ray.remote(num_cpus=1)(_Service)

    def start(self) -> "_Actor":
        return _Actor(self._ray, self._kind.remote(self._maker))

    def ready(self, workers: Sequence["_Actor"]) -> list["_Actor"]:
        while not (ready := self._some_ready(workers)):
            self._check_node()
        return [worker for worker in workers if worker.promise in ready]

    def _some_ready(self, workers: Sequence["_Actor"]) -> list[Any]:
        ready: list[Any]
        ready, _ = self._ray.wait([worker.promise for worker in workers], num_returns=1, timeout=PATIENCE)
        return ready

    def _check_node(self) -> None:
        """Refuse to wait for the node that this process has started, if it died: Ray would wait for minutes."""
        node = getattr(self._ray._private.worker, "_global_node", None)
        if node is not None and node.dead_processes():
            raise KeyseqError(_DIED)


class _Service:
    """The class that Ray makes an actor of."""

    def __init__(self, maker: Maker) -> None:
        self._maker = maker

    def make(self, shard: Shard) -> Made | Failed | Refused:
        return self._maker.make(shard)


class _Actor:
    """An actor somewhere in the cluster."""

    shard: Shard
    promise: Any

    def __init__(self, ray: Any, actor: Any) -> None:  # a module, and a handle that it makes
        self._ray, self._actor, self._error = ray, actor, ""

    def assign(self, shard: Shard) -> None:
        self.shard, self.promise = shard, self._actor.make.remote(shard)

    def answer(self) -> Made | Failed | Refused | None:
        try:
            answer: Made | Failed | Refused = self._ray.get(self.promise)
        except self._ray.exceptions.RayError as error:
            self._error = next(iter(str(error).splitlines()), type(error).__name__)
            return None
        return answer

    def end(self) -> str:
        return f"was lost ({self._error})"

    def stop(self) -> None:
        self._ray.kill(self._actor)
