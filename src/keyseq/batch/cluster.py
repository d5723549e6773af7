"""Shards by the actors of a Ray cluster: each loads the system once, and one that is lost is replaced."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

from keyseq.batch.distribution import distribute
from keyseq.batch.shards import Failed, Made, Maker, Refused, Shard
from keyseq.errors import KeyseqError
from keyseq.imports import require
from keyseq.systems.recipe import Recipe

RETRIES = 3  # machines of a cluster come and go


class Cluster:
    """An engine of so many actors of a core each, all of the cluster's if no number is given.

    `address` is as in `ray.init`: "auto" is the cluster that this machine belongs to, "local" a new one on this
    machine alone, which ends with the run. Documents go out to the actors and phrases come back, so that the machines
    of the cluster need no common disk.
    """

    def __init__(self, address: str = "auto", count: int | None = None) -> None:
        self._address, self._count = address, count

    def run(self, shards: Iterator[Shard], recipe: Recipe, format: str) -> Iterator[Made | Failed]:
        """Yield what becomes of each shard."""
        ray = require("ray", "ray")
        joined = not ray.is_initialized()
        if joined:
            _join(ray, self._address, self._count)
        try:
            count = self._count or int(ray.cluster_resources().get("CPU", 1))
            yield from distribute(shards, _Actors(ray, count, Maker(recipe, format)))
        finally:
            if joined:
                ray.shutdown()


def _join(ray: Any, address: str, count: int | None) -> None:  # noqa: ANN401  # a module
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody unasked
    local = {"num_cpus": count, "include_dashboard": False} if address == "local" else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="warning", **local)
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise KeyseqError(f"no Ray cluster at '{address}' ({reason}); start one with ray start, or say local") from None


class _Actors:
    """Actors that follow one recipe."""

    retries = RETRIES

    def __init__(self, ray: Any, count: int, maker: Maker) -> None:  # noqa: ANN401  # a module
        self.count, self._ray, self._maker = count, ray, maker
        self._kind = ray.remote(num_cpus=1)(_Service)

    def hire(self) -> "_Actor":
        return _Actor(self._ray, self._kind.remote(self._maker))

    def answering(self, hands: Sequence["_Actor"]) -> list["_Actor"]:
        ready, _ = self._ray.wait([hand.promise for hand in hands], num_returns=1)
        return [hand for hand in hands if hand.promise in ready]


class _Service:
    """What an actor holds."""

    def __init__(self, maker: Maker) -> None:
        self._maker = maker

    def make(self, shard: Shard) -> Made | Failed | Refused:
        return self._maker.make(shard)


class _Actor:
    """An actor somewhere in the cluster."""

    shard: Shard
    promise: Any

    def __init__(self, ray: Any, actor: Any) -> None:  # noqa: ANN401  # a module, and a handle that it makes
        self._ray, self._actor, self._error = ray, actor, ""

    def give(self, shard: Shard) -> None:
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
