"""Row 11: when the Ray node of this machine dies, a run says so instead of waiting for it."""

from types import SimpleNamespace

import pytest

from keyseq.batch.cluster import _Actors
from keyseq.batch.shards import Maker
from keyseq.errors import KeyseqError
from keyseq.systems.recipe import Recipe


def test_row_11_a_node_that_dies_is_told():
    node = SimpleNamespace(dead_processes=lambda: [("raylet", None)])
    ray = SimpleNamespace(
        remote=lambda **_: lambda kind: kind,
        wait=lambda promises, num_returns, timeout: ([], promises),  # noqa: ARG005  # as Ray's when nothing comes
        _private=SimpleNamespace(worker=SimpleNamespace(_global_node=node)),
    )
    actors = _Actors(ray, 1, Maker(Recipe(system="tfidf", settings={}), "jsonl"))
    with pytest.raises(KeyseqError, match="the Ray node of this machine has died"):
        actors.ready([SimpleNamespace(promise="a shard")])
