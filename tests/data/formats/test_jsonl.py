"""One JSON object a line, in the layouts of Meng et al. and of midas."""

import json
import tracemalloc

import pytest

from keyseq.data.formats import Columns, read_documents, write_documents
from keyseq.errors import DataError
from keyseq.types import Document


def read(tmp_path, content, **options):
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_documents(path, **options))


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        pytest.param(
            {"id": "a", "title": "T", "abstract": "B", "keywords": ["x", "y z"]},
            Document(id="a", title="T", body="B", keyphrases=("x", "y z")),
            id="Meng et al.",
        ),
        pytest.param(
            {"title": "T", "abstract": "B", "keyword": "x;y z; ;  w "},
            Document(id="1", title="T", body="B", keyphrases=("x", "y z", "w")),
            id="a text is split and loses its empty phrases",
        ),
        pytest.param(
            {"title": "T", "question": "B", "tags": ["c++"]},
            Document(id="1", title="T", body="B", keyphrases=("c++",)),
            id="StackEx",
        ),
        pytest.param(
            {"id": 12, "text": "B", "keywords": ["", "x"]},
            Document(id="12", body="B", keyphrases=("", "x")),
            id="a list is taken as it is: the published statistics count the empty phrase",
        ),
        pytest.param({"title": "T"}, Document(id="1", title="T"), id="keyphrases absent: nobody was asked"),
        pytest.param({"title": "T", "keywords": None}, Document(id="1", title="T"), id="null is absent"),
        pytest.param(
            {"title": "T", "keywords": []}, Document(id="1", title="T", keyphrases=()), id="asked, none given"
        ),
        pytest.param({"title": "T", "keywords": ""}, Document(id="1", title="T", keyphrases=()), id="empty text"),
        pytest.param({"title": None, "abstract": "B", "id": ""}, Document(id="1", body="B"), id="nulls are empty"),
        pytest.param({"Title": "T", "ABSTRACT": "B"}, Document(id="1", title="T", body="B"), id="case of names"),
        pytest.param(
            {"abstract": "B", "text": "whole paper", "keyphrases": ["x"], "tags": ["y"]},
            Document(id="1", body="B", keyphrases=("x",)),
            id="the first alias that is there",
        ),
        pytest.param(
            {
                "id": "m",
                "document": ["deep", "nets", "."],
                "extractive_keyphrases": ["nets"],
                "abstractive_keyphrases": ["ai"],
            },
            Document(id="m", body="deep nets .", keyphrases=("nets", "ai")),
            id="midas",
        ),
        pytest.param({"document": ["a"], "doc_bio_tags": ["O"]}, Document(id="1", body="a"), id="midas, not labelled"),
        pytest.param({"title": "a\u2028b\x85c"}, Document(id="1", title="a\u2028b\x85c"), id="odd line ends inside"),
        pytest.param({"title": "\ud800"}, Document(id="1", title="\ud800"), id="lone surrogate"),
    ],
)
def test_records_become_documents(tmp_path, record, expected):
    raw = json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace")
    assert read(tmp_path, raw + b"\n") == [expected]


def test_windows_line_ends_a_mark_at_the_beginning_and_empty_lines_are_no_matter(tmp_path):
    content = b'\xef\xbb\xbf{"title": "a"}\r\n\r\n   \n{"title": "b"}'
    assert read(tmp_path, content) == [Document(id="1", title="a"), Document(id="4", title="b")]


BROKEN = [
    (b'{"title": "a"', r"not a JSON object \(Expecting ',' delimiter at column 15\)"),
    (b'["title"]', "must be a JSON object, not a list"),
    (b"3", "must be a JSON object, not a number"),
    (b"[" * 100_000, "JSON that cannot be read"),
    (b'{"id": ' + b"9" * 5000 + b', "title": "a"}', "JSON that cannot be read"),
    (b'{"title": "caf\xe9"}', r"not UTF-8 \(byte 0xE9\)"),
    (b'{"name": "a"}', r"has no text; of its fields \(name\) choose one"),
    (b'{"title": " ", "abstract": ""}', "has no text"),
    (b'{"title": ["a"]}', "'title' must be a text, not a list"),
    (b'{"title": "a", "keywords": 3}', "'keywords' must be a list of texts or one text separated by ';'"),
    (b'{"title": "a", "keyword": ["x", 3]}', "'keyword' must be a list"),
    (b'{"title": "a", "id": true}', "an id must be a text or a whole number, not true or false"),
    (b'{"document": ["a", 1]}', "'document' must be a list of texts"),
    (
        b'{"document": ["a"], "extractive_keyphrases": "x"}',
        "'extractive_keyphrases' must be a list of texts, not a text",
    ),
]


@pytest.mark.parametrize(("line", "message"), BROKEN)
def test_a_bad_line_is_named_or_passed_over(tmp_path, line, message):
    content = b'{"title": "first"}\n' + line + b'\n{"title": "third"}\n'
    with pytest.raises(DataError, match=rf"corpus\.jsonl:2: {message}"):
        read(tmp_path, content)
    skipped = []
    assert [document.title for document in read(tmp_path, content, skipped=skipped)] == ["first", "third"]
    assert len(skipped) == 1
    assert "corpus.jsonl:2: " in skipped[0]


def test_midas_by_name_wants_words(tmp_path):
    with pytest.raises(DataError, match=r"corpus\.jsonl:1: 'document' must be a list of words, not null"):
        read(tmp_path, '{"title": "a"}', format="midas")


def test_the_user_says_which_field_is_what(tmp_path):
    columns = Columns(id="key", title="headline", text="story", keyphrases="topics", separator="|")
    record = {"key": "k", "headline": "H", "story": "S", "topics": "a|b;c", "title": "not this"}
    assert read(tmp_path, json.dumps(record), columns=columns) == [
        Document(id="k", title="H", body="S", keyphrases=("a", "b;c"))
    ]
    with pytest.raises(DataError, match=r":1: has no field 'storey'; did you mean 'story'\?"):
        read(tmp_path, json.dumps(record), columns=Columns(text="storey"))


def test_midas_is_written_with_its_keyphrases_parted_by_presence(tmp_path):
    path = tmp_path / "a.jsonl"
    document = Document(id="1", title="Deep  nets", body="are\ndeep", keyphrases=("ai", "deep net"))
    write_documents([document], path, "midas")
    assert json.loads(path.read_text()) == {
        "id": "1",
        "document": ["Deep", "nets", ".", "are", "deep"],
        "extractive_keyphrases": ["deep net"],
        "abstractive_keyphrases": ["ai"],
    }


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_memory_does_not_grow_with_the_corpus(tmp_path, suffix):
    path, body = tmp_path / f"big.jsonl{suffix}", "word " * 2_000
    write_documents((Document(id=str(number), body=body) for number in range(2_000)), path)
    tracemalloc.start()
    try:
        assert sum(len(document.body) for document in read_documents(path)) == 20_000_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3_000_000


def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("keyseq.data.formats.source.LARGEST", 1 << 20)
    with pytest.raises(DataError, match=r"corpus\.jsonl:1: a line of over 1 MiB"):
        read(tmp_path, '{"title": "' + "a" * (1 << 20))
