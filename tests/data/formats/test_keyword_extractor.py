"""Folders and archives laid out as KeywordExtractor-Datasets."""

import zipfile

import pytest

from keyseq.data.formats import read_documents, write_documents
from keyseq.errors import DataError
from keyseq.types import Document

FILES = {
    "Mine/docsutf8/10.txt": "ten\n",
    "Mine/docsutf8/2.txt": "two\r\nlines\r\n",
    "Mine/keys/2.key": " a b \r\n\r\nc\r\n",
    "Mine/keys/10.key": "",
    "Mine/lan.txt": "EN",
    "__MACOSX/Mine/docsutf8/._2.txt": "\0",
}
EXPECTED = [
    Document(id="2", body="two\nlines", keyphrases=("a b", "c")),
    Document(id="10", body="ten", keyphrases=()),
]


def zipped(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def unzipped(path, files):
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("make", [lambda path: zipped(path / "a.zip", FILES), lambda path: unzipped(path, FILES)])
def test_a_folder_and_an_archive_read_alike(tmp_path, make):
    assert list(read_documents(make(tmp_path))) == EXPECTED


def test_without_any_keys_the_keyphrases_are_unknown(tmp_path):
    unzipped(tmp_path, {"docsutf8/a.txt": "a"})
    assert list(read_documents(tmp_path)) == [Document(id="a", body="a")]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"keys/a.key": "x"}, r"docsutf8/a\.txt: its keyphrases are missing: there is no .*keys/a\.key"),
        ({"docsutf8/a.txt": b"x\ncaf\xe9"}, r"docsutf8/a\.txt:2: not UTF-8"),
        ({"docsutf8/a.txt": " \n"}, r"docsutf8/a\.txt: has no text"),
    ],
)
def test_a_bad_document_is_named_or_passed_over(tmp_path, files, message):
    whole = {"docsutf8/a.txt": "a", "keys/a.key": "x", "docsutf8/b.txt": "b", "keys/b.key": "y"}
    if "keys/a.key" in files:
        del whole["keys/a.key"]
        files = {}
    unzipped(tmp_path, whole | files)
    with pytest.raises(DataError, match=message):
        list(read_documents(tmp_path))
    skipped = []
    assert [document.id for document in read_documents(tmp_path, skipped=skipped)] == ["b"]
    assert len(skipped) == 1


def test_a_hostile_name_is_read_in_place_and_nothing_is_unpacked(tmp_path):
    inner = tmp_path / "in"
    inner.mkdir()
    zipped(inner / "a.zip", {"docsutf8/../../../evil.txt": "evil", "docsutf8/a.txt": "a"})
    assert list(read_documents(inner / "a.zip")) == [Document(id="a", body="a")]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.zip", "in"]


def test_a_bomb_is_refused_by_what_it_claims_to_hold(tmp_path, monkeypatch):
    monkeypatch.setattr("keyseq.data.formats.tree.LARGEST", 1 << 20)
    zipped(tmp_path / "a.zip", {"docsutf8/a.txt": "a" * (1 << 20)})
    with pytest.raises(DataError, match=r"docsutf8/a\.txt: over 1 MiB"):
        list(read_documents(tmp_path / "a.zip"))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda _: b"plain text", "neither a folder nor a zip archive"),
        (lambda whole: whole[: len(whole) // 2], "neither a folder nor a zip archive"),
        (lambda whole: whole.replace(b"two", b"TWO", 1), r"docsutf8/2\.txt: damaged"),
    ],
)
def test_a_damaged_archive_is_told(tmp_path, spoil, message):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("docsutf8/2.txt", "two")
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(DataError, match=message):
        list(read_documents(path))


def test_several_corpora_at_once_are_refused(tmp_path):
    unzipped(tmp_path, {"A/docsutf8/1.txt": "a", "B/docsutf8/1.txt": "b"})
    with pytest.raises(DataError, match="holds several corpora: A, B"):
        list(read_documents(tmp_path))


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_two_documents_of_one_id_are_refused_and_nothing_is_left(tmp_path, name):
    documents = [Document(id="a/b", body="x"), Document(id="a/b", body="y")]
    with pytest.raises(DataError, match="two documents have the id 'a/b'"):
        write_documents(documents, tmp_path / name, "keyword-extractor")
    assert list(tmp_path.iterdir()) == []
