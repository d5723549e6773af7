"""A real Ray cluster of two nodes with a core each."""

import json
import os
import signal
import time

import psutil
import pyarrow.parquet
import pytest
from tests.batch.texts import by_one_process, joined, write_corpus

from keyseq.batch import Cluster, Inputs, Job, Parts, predict
from keyseq.batch.shards import Shard
from keyseq.errors import KeyseqError
from keyseq.systems import load
from keyseq.systems.recipe import Recipe

ray = pytest.importorskip("ray", reason="needs the extra [ray]")

TFIDF = Recipe(system="tfidf", settings={"top": 3})


@pytest.fixture(scope="module", autouse=True)
def cluster():
    from ray.cluster_utils import Cluster as Nodes

    os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_AUTH_MODE="disabled")
    node = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
    nodes = Nodes(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    nodes.add_node(**node)
    ray.init(address=nodes.address, log_to_driver=False, logging_level="error")
    yield
    ray.shutdown()
    nodes.shutdown()


def actors():
    """The processes of this cluster that make shards."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if "_Service" in " ".join(process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


def both():
    """The actor of each node; on a cold machine one may start long after the other."""
    deadline = time.monotonic() + 60
    while len(found := actors()) != 2:
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    return found


def test_all_documents_are_there_once_though_a_worker_is_killed_half_way(tmp_path):
    corpus, out = write_corpus(tmp_path / "corpus.jsonl", 400), tmp_path / "out"
    run = Job(Inputs([str(corpus)]), TFIDF, Parts(out), 10)
    killed = None
    for _ in run.documents(Cluster()):
        if killed is None and len(list(out.glob("part-*"))) >= 15:
            killed, other = both()
            os.kill(killed.pid, signal.SIGKILL)
            assert other.is_running()
    assert killed is not None
    assert run.summary.documents == 400
    assert joined(out) == by_one_process(corpus, TFIDF)


def test_a_system_that_cannot_be_loaded_is_told_at_once():
    recipe = Recipe(system="tfidf", settings={"beam": 3})
    with pytest.raises(KeyseqError, match="tfidf has no setting 'beam'"):
        list(Cluster(count=1).run(iter([Shard(0, [])]), recipe, "jsonl"))


def test_parts_in_parquet_hold_what_json_lines_hold(tmp_path):
    corpus, out = write_corpus(tmp_path / "corpus.jsonl", 30), tmp_path / "out"
    assert sum(Job(Inputs([str(corpus)]), TFIDF, Parts(out, ".parquet"), 20).documents(Cluster())) == 30
    rows = [row for path in sorted(out.glob("part-*")) for row in pyarrow.parquet.read_table(path).to_pylist()]
    for phrase in (phrase for row in rows for phrase in row["keyphrases"]):
        assert [phrase.pop(name) for name in ("uri", "matched", "new")] == [None] * 3  # there is no vocabulary
    assert rows == [json.loads(line) for line in by_one_process(corpus, TFIDF).splitlines()]


def test_a_dataset_gets_a_column_of_phrases_and_a_reason_where_there_are_none():
    texts = ["Small robots learn a language.", "", "A neural network finds a distant planet."]
    dataset = ray.data.from_items([{"name": n, "abstract": text} for n, text in enumerate(texts)])
    rows = sorted(predict(dataset, system="tfidf", top=2).take_all(), key=lambda row: row["name"])
    expected = load("tfidf", top=2).predict(texts)
    assert [[p["text"] for p in row["predicted"] or ()] for row in rows] == [[p.text for p in ps] for ps in expected]
    assert [row["error"] for row in rows] == [None, "row: has no text", None]
