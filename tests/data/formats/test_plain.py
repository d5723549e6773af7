"""Text and Markdown: alone, from standard input, and in folders."""

import gzip
import io
import sys
import time

import pytest

from keyseq.data.formats import read_documents, write_documents
from keyseq.errors import DataError
from keyseq.types import Document


def test_a_text_file_is_one_document_whole(tmp_path):
    (tmp_path / "My paper.txt.gz").write_bytes(gzip.compress(b"\xef\xbb\xbfTitle\r\n\r\nBody.\r\n"))
    assert list(read_documents(tmp_path / "My paper.txt.gz")) == [Document(id="My paper", body="Title\n\nBody.")]


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        (None, Document(id="1", body='{"title": "T"}')),
        ("jsonl", Document(id="1", title="T")),
    ],
)
def test_standard_input_is_text_unless_its_format_is_named(monkeypatch, format, expected):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"title": "T"}\n')))
    assert list(read_documents("-", format=format)) == [expected]


@pytest.mark.parametrize("format", ["keyword-extractor", "ake", "folder", "pairs"])
def test_what_is_more_than_one_file_cannot_come_from_standard_input(format):
    with pytest.raises(DataError, match="instead of -"):
        list(read_documents("-", format=format))


MARKDOWN = """---
layout: post
---
Intro with *emphasis* and [a link](http://x.y).

Deep `nets`
===========

- one &amp; two
- ![a picture](p.png)

```python
print("code")
```

## Second
<b>bold</b> <!-- comment -->

| a | b |
|---|---|
| c | d |
"""


def test_markdown_is_what_it_shows(tmp_path):
    (tmp_path / "a.md").write_text(MARKDOWN)
    [document] = read_documents(tmp_path / "a.md")
    assert document.title == "Deep nets"
    assert document.body.split("\n\n") == [
        "Intro with emphasis and a link.",
        "one & two",
        "a picture",
        'print("code")',
        "Second",
        "bold ",
        *"abcd",
    ]


@pytest.mark.parametrize(
    "content",
    ["---\n\nA text between two rules.\n\n---\n", "# H\n\n---\nkey: a\n---\n", "+++\nno settings here\n+++\n"],
)
def test_rules_of_dashes_are_no_front_matter(tmp_path, content):
    (tmp_path / "a.md").write_text(content)
    [document] = read_documents(tmp_path / "a.md")
    assert "text" in document.body or "key" in document.body or "settings" in document.body


def test_keywords_of_front_matter_are_read_as_they_are_written(tmp_path):
    for name, matter in (
        ("a.md", "---\ntitle: ~\nkeywords: [NO, 2020, 1e3, machine learning]\n---\n"),
        ("b.md", '+++\nkeywords = ["NO", 2020, "1e3", "machine learning"]\n+++\n'),
    ):
        (tmp_path / name).write_text(f"{matter}Robots\n======\n\nA text.\n")
        [document] = read_documents(tmp_path / name)
        assert (document.title, document.keyphrases) == ("Robots", ("NO", "2020", "1e3", "machine learning"))


def multiplied(times):
    """YAML in which every list holds the one before ten times."""
    lists = [f"a{one}: &a{one} [{', '.join([f'*a{one - 1}'] * 10)}]" for one in range(1, times)]
    return "\n".join(["a0: &a0 [x, x]", *lists, f"keywords: [*a{times - 1}, robots]"])


@pytest.mark.parametrize(
    "matter",
    [
        f"---\n{multiplied(12)}\n---",
        f"---\n{multiplied(12).replace('[*', '{<<: [*').replace('*]', '*]}')}\n---",
        f"---\nkeywords: [0x{'F' * 9_000}]\n---",
        f"---\nnumber: 1{':10' * 40_000}\n---",
        "---\nkeywords: [!!bool x, !!int '', !!timestamp x, !!python/object:os.system x]\n---",
        "---\nkeywords: &all [*all]\n---",
        f"+++\nkeywords = [0x{'F' * 9_000}]\n+++",
        f"+++\n{'.'.join('a' * 100_000)} = 1\n+++",
    ],
    ids=range(8),
)
def test_hostile_front_matter_takes_no_time_and_ends_in_no_traceback(tmp_path, matter):
    (tmp_path / "a.md").write_text(f"{matter}\nA text of robots.\n")
    start = time.process_time()
    [document] = read_documents(tmp_path / "a.md")
    assert "A text of robots." in document.body
    assert time.process_time() - start < 5  # it would be minutes


def test_a_folder_of_texts_is_a_corpus_in_natural_order(tmp_path):
    for name in ("10.txt", "9.md", "deep/a.txt", "a.txt", "a.md", "figure.png", ".hidden.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"# {name}")
    assert [(document.id, document.title or document.body) for document in read_documents(tmp_path)] == [
        ("9", "9.md"),
        ("10", "# 10.txt"),
        ("a.md", "a.md"),
        ("a.txt", "# a.txt"),
        ("deep/a", "# deep/a.txt"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", r"a\.txt: has no text"),
        ("a.txt", b"x\n\ny\xe9", r"a\.txt:3: not UTF-8"),
        ("a.md", b"<!-- nothing -->", r"a\.md: has no text"),
        ("a.md", b"\xff", r"a\.md:1: not UTF-8"),
    ],
)
def test_a_bad_file_is_named_alone_and_in_a_folder(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "b.txt").write_text("fine")
    for path in (tmp_path / name, tmp_path):
        with pytest.raises(DataError, match=message):
            list(read_documents(path))
    skipped = []
    assert [document.id for document in read_documents(tmp_path, skipped=skipped)] == ["b"]
    assert len(skipped) == 1


def test_a_file_too_long_for_a_document_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("keyseq.data.formats.source.LARGEST", 1 << 20)
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"a" * (1 << 21)))
    with pytest.raises(DataError, match=r"a\.txt\.gz: over 1 MiB, more than the limit"):
        list(read_documents(tmp_path / "a.txt.gz"))


def test_a_text_file_cannot_hold_two_documents(tmp_path):
    documents = [Document(id="1", body="a"), Document(id="2", body="b")]
    with pytest.raises(DataError, match=r"holds one document, but there are more; write them to a folder"):
        write_documents(documents, tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []
