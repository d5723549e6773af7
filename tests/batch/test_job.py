import json
import os

import pytest
from tests.batch.texts import by_one_process, joined, write_corpus

from keyseq.batch import Inputs, Job, Parts
from keyseq.batch.shards import Failed, Maker
from keyseq.errors import KeyseqError
from keyseq.systems.recipe import Recipe

TFIDF = Recipe(system="tfidf", settings={"top": 3})


class Inline:
    """An engine in this process that can stop, or fail at some shards, and knows what it was given."""

    def __init__(self, stop_after=None, failing=()):
        self.given, self._stop_after, self._failing = [], stop_after, failing

    def run(self, shards, recipe, format):
        maker = Maker(recipe, format)
        recipe.load()  # refuses what the maker would
        for shard in shards:
            if len(self.given) == self._stop_after:
                raise KeyboardInterrupt
            self.given.append(shard.number)
            yield Failed(shard.number, "too hot") if shard.number in self._failing else maker.make(shard)


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "corpus.jsonl", 45)


def run(corpus, folder, engine=None, recipe=TFIDF, size=10):
    made = Job(Inputs([str(corpus)]), recipe, Parts(folder), size)
    return sum(made.documents(engine or Inline())), made.summary


def test_parts_joined_are_what_one_process_writes(corpus, tmp_path):
    made, summary = run(corpus, tmp_path / "out")
    assert (made, summary.documents, summary.parts, summary.bad) == (45, 45, 5, 0)
    assert joined(tmp_path / "out") == by_one_process(corpus, TFIDF)
    assert not (tmp_path / "out" / "bad.jsonl").exists()


def test_a_run_that_was_stopped_makes_only_what_is_missing(corpus, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(corpus, tmp_path / "out", Inline(stop_after=2))
    assert not (tmp_path / "out" / "done.json").exists()
    (tmp_path / "out" / ".part-000002.jsonl.x1y2.jsonl").write_text("half of")  # as a kill leaves it
    rest = Inline()
    assert run(corpus, tmp_path / "out", rest)[0] == 25
    assert rest.given == [2, 3, 4]
    assert joined(tmp_path / "out") == by_one_process(corpus, TFIDF)
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if "x1y2" in path.name) == []


def test_a_finished_run_is_not_done_again_but_for_a_part_that_was_taken_away(corpus, tmp_path):
    _, first = run(corpus, tmp_path / "out")
    again = Inline()
    assert run(corpus, tmp_path / "out", again) == (0, first)
    (tmp_path / "out" / "part-000003.jsonl").unlink()
    assert run(corpus, tmp_path / "out", again) == (10, first)
    assert again.given == [3]


def test_bad_records_are_listed_with_place_and_reason_and_all_others_are_there(tmp_path):
    corpus = write_corpus(tmp_path / "corpus.jsonl", 20, bad=(0, 9, 19))  # in the midst, at a seam, at the end
    _, summary = run(corpus, tmp_path / "out")
    assert (summary.documents, summary.parts, summary.bad) == (20, 2, 3)
    bad = [json.loads(line) for line in (tmp_path / "out" / "bad.jsonl").read_text().splitlines()]
    assert [entry["place"] for entry in bad] == [f"{corpus}:{line}" for line in (2, 12, 23)]
    assert all("not a JSON object" in entry["reason"] for entry in bad)
    assert joined(tmp_path / "out") == by_one_process(corpus, TFIDF)


def test_a_failed_shard_stops_no_other_and_is_told(corpus, tmp_path):
    with pytest.raises(
        KeyseqError, match=r"part-000001\.jsonl and 1 more could not be made: too hot; run the same command"
    ):
        run(corpus, tmp_path / "out", Inline(failing=(3, 1)))
    assert not (tmp_path / "out" / "done.json").exists()
    assert run(corpus, tmp_path / "out")[0] == 20


def test_when_everything_fails_the_corpus_is_not_read_to_its_end(corpus, tmp_path):
    engine = Inline(failing=range(45))
    with pytest.raises(KeyseqError, match="and 4 more could not be made"):
        run(corpus, tmp_path / "out", engine, size=1)
    assert engine.given == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"recipe": Recipe(system="textrank", settings={"top": 3})}, "system: tfidf there, textrank now"),
        ({"recipe": Recipe(system="tfidf", settings={"top": 4})}, "settings top: 3 there, 4 now"),
        (
            {"recipe": Recipe(system="tfidf", settings={"top": 3, "deny": ("robot",)})},
            "settings deny: none there, 2 values now",
        ),
        (
            {"recipe": Recipe(system="tfidf", settings={"candidates": "runs", "top": 3})},
            "settings candidates: none there, runs now",
        ),
        ({"size": 11}, "documents in a part: 10 there, 11 now"),
    ],
)
def test_a_folder_takes_no_parts_of_another_run(corpus, tmp_path, change, told):
    run(corpus, tmp_path / "out")
    before = joined(tmp_path / "out")
    with pytest.raises(KeyseqError, match=r"holds a job with other inputs or settings") as refusal:
        run(corpus, tmp_path / "out", **change)
    assert told in str(refusal.value)
    assert joined(tmp_path / "out") == before


def test_a_run_that_made_nothing_binds_nobody(corpus, tmp_path):
    with pytest.raises(KeyseqError, match="tfidf has no setting 'beam'"):
        run(corpus, tmp_path / "out", recipe=Recipe(system="tfidf", settings={"beam": 3}))
    assert run(corpus, tmp_path / "out")[0] == 45


def test_an_input_that_was_changed_is_refused_even_if_its_size_is_the_same(corpus, tmp_path):
    run(corpus, tmp_path / "out")
    os.utime(corpus, ns=(1, 1))
    with pytest.raises(KeyseqError, match="input modified: "):
        run(corpus, tmp_path / "out")


def test_a_folder_with_other_things_in_it_is_left_alone(corpus, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("dear to somebody")
    with pytest.raises(KeyseqError, match=r"is not empty and has no run\.json"):
        run(corpus, tmp_path / "out")


def test_two_runs_never_share_a_folder(corpus, tmp_path):
    first = Job(Inputs([str(corpus)]), TFIDF, Parts(tmp_path / "out"), 10).documents(Inline())
    next(first)
    with pytest.raises(KeyseqError, match="another job is writing here"):
        run(corpus, tmp_path / "out")
    assert sum(first) == 35


def test_the_reader_never_runs_ahead(corpus, tmp_path):
    made = Job(Inputs([str(corpus)]), TFIDF, Parts(tmp_path / "out"), 5)
    documents = made.documents(Inline())
    next(documents)
    assert made._read == 5
    documents.close()


def test_what_is_left_is_estimated_from_the_share_that_was_read(tmp_path):
    corpus = write_corpus(tmp_path / "corpus.jsonl", 3000)
    made = Job(Inputs([str(corpus)]), Recipe(system="tfidf"), Parts(tmp_path / "out"), 1000)
    documents = made.documents(Inline())
    next(documents)
    assert made.expected() == pytest.approx(3000, rel=0.25)  # a reader's buffer is a good part of so small a file
    documents.close()


@pytest.mark.parametrize("content", ["", "{}\n"], ids=["emptied", "other content"])
@pytest.mark.parametrize("is_done", [True, False])
def test_row_5_a_part_that_was_emptied_since_is_made_again(corpus, tmp_path, content, is_done):
    run(corpus, tmp_path / "out")
    whole = joined(tmp_path / "out")
    if not is_done:
        (tmp_path / "out" / "done.json").unlink()
    (tmp_path / "out" / "part-000003.jsonl").write_text(content)
    again = Inline()
    assert run(corpus, tmp_path / "out", again)[0] == 10
    assert again.given == [3]
    assert joined(tmp_path / "out") == whole


def test_a_list_of_checksums_that_a_kill_has_cut_costs_one_part(corpus, tmp_path):
    run(corpus, tmp_path / "out")
    whole, sums = joined(tmp_path / "out"), tmp_path / "out" / "checksums.jsonl"
    (tmp_path / "out" / "done.json").unlink()
    sums.write_text(sums.read_text()[:-30])
    again = Inline()
    assert run(corpus, tmp_path / "out", again)[0] == 5
    assert joined(tmp_path / "out") == whole
    assert run(corpus, tmp_path / "out", Inline(stop_after=0))[0] == 0


class Growing(Inline):
    """An engine while which somebody adds to the corpus."""

    def __init__(self, corpus):
        super().__init__()
        self._corpus = corpus

    def run(self, shards, recipe, format):
        for done in super().run(shards, recipe, format):
            with self._corpus.open("a") as file:
                file.write('{"abstract": "More robots."}\n')
            yield done


def test_row_12_an_input_that_grows_during_a_run_is_told_and_the_run_is_not_done(corpus, tmp_path):
    with pytest.raises(KeyseqError, match=r"corpus\.jsonl: was changed while it was read; wait until it is complete"):
        run(corpus, tmp_path / "out", Growing(corpus))
    assert not (tmp_path / "out" / "done.json").exists()
