"""Real processes, also some that die."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest
from tests.batch.texts import by_one_process, joined, write_corpus

from keyseq.batch import Inputs, Job, Parts, Workers
from keyseq.batch.shards import Failed, Made, Shard
from keyseq.errors import KeyseqError
from keyseq.systems.recipe import Recipe
from keyseq.types import Document

TEXTRANK = Recipe(system="textrank", settings={"top": 3})


def shards(count):
    for number in range(count):
        yield Shard(number, [Document(id=str(number), body="Small robots learn a language of small robots.")])


class Murderous(Recipe):
    """A recipe whose process is killed when it comes to certain documents, as if the memory were full."""

    def predictions(self, system, documents):
        for document, phrases in super().predictions(system, documents):
            once = os.environ.get("KEYSEQ_TEST_ONCE")
            if document.id == "2" and not (once and Path(once).exists()):
                if once:
                    Path(once).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield document, phrases


def test_several_processes_make_what_one_makes(tmp_path):
    corpus = write_corpus(tmp_path / "corpus.jsonl", 100)
    assert sum(Job(Inputs([str(corpus)]), TEXTRANK, Parts(tmp_path / "out"), 16).documents(Workers(2))) == 100
    assert joined(tmp_path / "out") == by_one_process(corpus, TEXTRANK)


def test_a_shard_whose_worker_is_killed_is_made_by_another(tmp_path, monkeypatch):
    monkeypatch.setenv("KEYSEQ_TEST_ONCE", str(tmp_path / "once"))
    done = list(Workers(2).run(shards(5), Murderous(system="tfidf"), "jsonl"))
    assert (tmp_path / "once").exists()
    assert sorted(made.number for made in done) == [0, 1, 2, 3, 4]
    assert all(isinstance(made, Made) for made in done)


def test_a_shard_that_kills_every_worker_fails_alone():
    done = list(Workers(1).run(shards(4), Murderous(system="tfidf"), "jsonl"))
    failed = [outcome for outcome in done if isinstance(outcome, Failed)]
    assert failed == [Failed(2, "its worker was killed, possibly out of memory, 2 times")]
    assert sorted(made.number for made in done if isinstance(made, Made)) == [0, 1, 3]


def test_a_system_that_cannot_be_loaded_is_told_at_once():
    with pytest.raises(KeyseqError, match="tfidf has no setting 'beam'"):
        list(Workers(1).run(shards(3), Recipe(system="tfidf", settings={"beam": 3}), "jsonl"))


def test_no_more_is_taken_than_there_is_room_for():
    taken = []

    def watched():
        for shard in shards(10):
            taken.append(shard.number)
            yield shard

    outcomes = Workers(1).run(watched(), TEXTRANK, "jsonl")
    next(outcomes)
    assert taken == [0, 1]  # one at work, one at hand
    outcomes.close()


def test_whoever_stops_listening_leaves_no_process_behind():
    outcomes = Workers(2).run(shards(10), TEXTRANK, "jsonl")
    next(outcomes)
    assert multiprocessing.active_children()
    outcomes.close()
    assert not multiprocessing.active_children()
