import gzip

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.batch.texts import write_corpus

from keyseq.batch import Inputs
from keyseq.data.formats import read_documents
from keyseq.errors import KeyseqError


def read(*names):
    skipped = []
    return list(Inputs([str(name) for name in names]).documents(skipped)), skipped


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "corpus.jsonl", 30, bad=(3,))


def test_a_uri_is_read_as_the_file_would_be_and_bad_lines_have_their_place(corpus):
    documents, skipped = read(corpus.as_uri())
    assert documents == list(read_documents(corpus, skipped=[]))
    assert len(skipped) == 1
    assert skipped[0].startswith(f"file://{corpus}:5: not a JSON object")


def test_a_uri_of_a_folder_is_all_that_can_be_read_in_it_by_name(corpus, tmp_path):
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(corpus.read_bytes()))
    (folder / "notes.txt").write_text("no corpus")
    table = pa.table({"id": ["p1", "p2", "p3"], "title": ["Robots", "", None], "abstract": ["learn", "", "planets"]})
    pyarrow.parquet.write_table(table, folder / "a.parquet")
    documents, skipped = read(folder.as_uri())
    assert [document.id for document in documents] == ["p1", "p3", *(f"d{number}" for number in range(30))]
    assert documents[0].text == "Robots . learn"
    assert skipped[0] == f"file://{folder}/a.parquet:2: has no text"


def test_the_share_that_was_read_counts_all_inputs(corpus, tmp_path):
    second = write_corpus(tmp_path / "second.jsonl", 30)
    both = Inputs([str(corpus), str(second)])
    documents = both.documents([])
    for _ in range(31):
        next(documents)
    assert both.share() >= 0.5
    assert len(list(documents)) == 29
    assert both.share() == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("-", "standard input cannot be read again"),
        ("missing.jsonl", "missing.jsonl: no such file or folder"),
        ("missing.parquet", "missing.parquet: no such file"),
        ("gopher://old/corpus.jsonl", "cannot be opened"),
        ("file:///", "no such file, nor a folder of"),
    ],
)
def test_what_cannot_be_read_is_refused_before_the_run(name, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = (tmp_path / "empty").as_uri() if name == "file:///" else name
    (tmp_path / "empty").mkdir()
    with pytest.raises(KeyseqError, match=told):
        Inputs([name])


def test_a_file_that_is_no_parquet_is_told(tmp_path):
    (tmp_path / "a.parquet").write_text("not at all")
    with pytest.raises(KeyseqError, match=r"a\.parquet: damaged, or not a Parquet file"):
        read(tmp_path / "a.parquet")
