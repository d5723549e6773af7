"""The StackEx corpus: what is in it, how it is split, and that it is written whole or not at all."""

import random
from itertools import chain

import pytest
from dump import archive, question, row, site

from keyseq.data.dumps import Dump, find_dumps
from keyseq.data.formats import read_documents
from keyseq.data.stackexchange import Split, build, cut
from keyseq.errors import DataError, KeyseqError
from keyseq.text.tokenize import tokenize
from keyseq.types import Document

SMALL = Split(valid=10, test=20, seed=1)


def questions(name, count, start=1):
    return [question(number, f"<p>Question {number} of {name}</p>") for number in range(start, start + count)]


def ids(path):
    return [document.id for document in read_documents(path)]


def built(out, suffix=".jsonl"):
    return {name: ids(out / f"{name}{suffix}") for name in ("train", "valid", "test")}


@pytest.fixture
def dumps(tmp_path):
    return [
        Dump("ai", site(tmp_path / "dumps", "ai", *questions("ai", 40))),
        Dump("cs", site(tmp_path / "dumps", "cs", *questions("cs", 60))),
    ]


def test_every_question_is_in_one_split_and_the_sizes_are_exact(dumps, tmp_path):
    summary = build(dumps, tmp_path / "out", SMALL)
    splits = built(tmp_path / "out")
    assert {name: len(found) for name, found in splits.items()} == {"train": 70, "valid": 10, "test": 20}
    assert sorted(chain(*splits.values())) == sorted(
        [f"ai-{number}" for number in range(1, 41)] + [f"cs-{number}" for number in range(1, 61)]
    )
    assert summary.splits == {"test": 20, "valid": 10, "train": 70}
    assert summary.sites == {"ai": 40, "cs": 60}


def test_the_same_seed_gives_the_same_split_whatever_the_order_of_dumps(dumps, tmp_path):
    build(dumps, tmp_path / "one", SMALL)
    build(dumps[::-1], tmp_path / "two", SMALL)
    assert built(tmp_path / "one") == built(tmp_path / "two")


def test_another_seed_gives_another_split(dumps, tmp_path):
    build(dumps, tmp_path / "one", SMALL)
    build(dumps, tmp_path / "two", Split(valid=10, test=20, seed=2))
    assert set(built(tmp_path / "one")["test"]) != set(built(tmp_path / "two")["test"])


def test_every_split_mixes_the_sites_from_its_beginning_on(dumps, tmp_path):
    build(dumps, tmp_path / "out", SMALL)
    for found in built(tmp_path / "out").values():
        assert {name.split("-")[0] for name in found[:10]} == {"ai", "cs"}


def test_a_text_asked_twice_is_in_one_split_once(tmp_path):
    first = site(tmp_path, "ai", *questions("x", 30))
    second = site(tmp_path, "cs", *questions("x", 30), *questions("y", 5, start=100))
    summary = build(find_dumps([first, second]), tmp_path / "out", Split(valid=5, test=5))
    assert len(list(chain(*built(tmp_path / "out").values()))) == 35
    assert summary.dropped == {"duplicate": 30}


def test_tags_and_text_of_a_document(tmp_path):
    path = site(tmp_path, "cs", question(1, "<p>Use <code>a+b</code></p>", "How?", "<c++><event-handling>"))
    build(find_dumps([path]), tmp_path / "out", Split(valid=0, test=0))
    [document] = read_documents(tmp_path / "out" / "train.jsonl")
    assert document == Document(id="cs-1", title="How?", body="Use a+b", keyphrases=("c++", "event handling"))


def test_texts_are_cut_shorter_for_training_than_for_evaluation(tmp_path):
    draw = random.Random(0)
    bodies = [f"<p>{' '.join(str(draw.random()) for _ in range(60))}</p>" for _ in range(9)]
    path = site(tmp_path, "cs", *[question(number, body) for number, body in enumerate(bodies)])
    split = Split(valid=3, test=3, train_tokens=20, evaluation_tokens=50)
    build(find_dumps([path]), tmp_path / "out", split)
    for name, tokens in (("train", 20), ("valid", 50), ("test", 50)):
        lengths = [len(tokenize(document.text)) for document in read_documents(tmp_path / "out" / f"{name}.jsonl")]
        assert lengths == [tokens] * 3


@pytest.mark.parametrize(
    ("tokens", "title", "body"),
    [
        (1, "Event", ""),
        (2, "Event-handling", ""),  # the characters between words stay as they are
        (3, "Event-handling", ""),  # the third is the full stop between title and body
        (4, "Event-handling", "In"),
        (5, "Event-handling", "In  «C++"),
        (6, "Event-handling", "In  «C++» now"),
        (7, "Event-handling", "In  «C++» now!"),  # all of it: nothing is cut, trailing marks included
    ],
)
def test_a_text_is_cut_after_so_many_words_of_title_and_body_together(tokens, title, body):
    document = Document(id="1", title="Event-handling", body="In  «C++» now!", keyphrases=("x",))
    assert cut(document, tokens) == Document(id="1", title=title, body=body, keyphrases=("x",))


def test_archives_and_posts_give_the_same_corpus(tmp_path):
    rows = questions("cs", 30)
    packed, unpacked = archive(tmp_path, "cs", *rows), site(tmp_path, "cs", *rows)
    build(find_dumps([packed]), tmp_path / "one", SMALL)
    build(find_dumps([unpacked]), tmp_path / "two", SMALL)
    assert built(tmp_path / "one") == built(tmp_path / "two")


def test_splits_may_be_written_compressed(dumps, tmp_path):
    build(dumps, tmp_path / "out", SMALL, suffix=".jsonl.xz")
    assert len(built(tmp_path / "out", ".jsonl.xz")["train"]) == 70


def test_more_held_out_than_there_is_is_refused_and_nothing_written(dumps, tmp_path):
    message = "only 100 questions have .* fewer than the 60 for validation and 41 for the test together"
    with pytest.raises(KeyseqError, match=message):
        build(dumps, tmp_path / "out", Split(valid=60, test=41))
    assert list((tmp_path / "out").iterdir()) == []


def test_all_may_be_held_out(dumps, tmp_path):
    assert build(dumps, tmp_path / "out", Split(valid=60, test=40)).splits["train"] == 0


def test_a_dump_without_questions_is_refused_rather_than_three_empty_files(tmp_path):
    path = site(tmp_path, "cs", row(Id="1", PostTypeId="2", Body="an answer"))
    with pytest.raises(KeyseqError, match="no question of these dumps has a title"):
        build(find_dumps([path]), tmp_path / "out", Split(valid=0, test=0))


@pytest.mark.parametrize("when", ["cs, MiB", "writing test", "writing train"])
def test_an_interrupted_build_leaves_what_was_there_before_and_nothing_else(dumps, tmp_path, when):
    def interrupting(items, description, _total):
        if description == when:
            raise KeyboardInterrupt
        return iter(items)

    build(dumps, tmp_path / "out", SMALL)
    before = built(tmp_path / "out")
    with pytest.raises(KeyboardInterrupt):
        build(dumps, tmp_path / "out", Split(valid=1, test=1), track=interrupting)
    assert built(tmp_path / "out") == before
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["test.jsonl", "train.jsonl", "valid.jsonl"]


def test_a_broken_dump_leaves_nothing(dumps, tmp_path):
    with dumps[1].path.open("ab") as file:
        file.write(b"<row")
    with pytest.raises(DataError, match=r"Posts\.xml:64: is not well-formed XML"):
        build(dumps, tmp_path / "out", SMALL)
    assert list((tmp_path / "out").iterdir()) == []
