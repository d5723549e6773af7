"""A folder or archive of files of many kinds."""

import zipfile

import pytest

from keyseq.data.formats import CorpusReading, ReadingReport, read_documents
from keyseq.errors import DataError, MissingExtraError

FILES = {
    "a.txt": "First.",
    "deep/er/b.md": "# Second\n\nText.",
    "c.bib": "@misc{k1, title = {Third}}\n@misc{k2, title = {Fourth}}",
    "data/d.csv": "id,title\n9,Fifth\n",
    "figure.bmp": "BM",
    "slides.pptx": "PK",
    "inner.zip": "PK",
    "pairs.src": "x",
    "pairs.tgt": "y",
    ".hidden.txt": "never",
}


def write(path, files):
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(content)
    return path


def test_every_file_is_read_by_its_format_and_the_others_are_listed_with_the_reason(tmp_path):
    folder, archive = write(tmp_path / "folder", FILES), tmp_path / "archive.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for name, content in FILES.items():
            out.writestr(name, content)
    for path in (folder, archive):
        report = ReadingReport()
        documents = list(CorpusReading().documents(path, report))
        assert [(document.id, document.title or document.body) for document in documents] == [
            ("a", "First."),
            ("c/k1", "Third"),
            ("c/k2", "Fourth"),
            ("data/d/9", "Fifth"),
            ("deep/er/b", "Second"),
        ]
        assert report.unread == [
            f"{path}/figure.bmp: is of no format that keyseq reads",
            f"{path}/inner.zip: is an archive inside the folder; name it on its own",
            f"{path}/pairs.src: is one of two parallel files; name it on its own",
            f"{path}/pairs.tgt: is of no format that keyseq reads",
            f"{path}/slides.pptx: holds slides, which keyseq does not read; save them as .pdf",
        ]


def test_a_file_of_a_folder_that_cannot_be_read_is_a_bad_record(tmp_path):
    write(tmp_path, {"a.txt": "Fine.", "b.csv": "no,words\n1,2\n", "c.txt": " "})
    with pytest.raises(DataError, match=r"b\.csv:1: has no text; of its fields \(no, words\)"):
        list(read_documents(tmp_path))
    report = ReadingReport(skipped=[], textless=[])
    assert [document.id for document in CorpusReading().documents(tmp_path, report)] == ["a"]
    assert [message.split(":")[0] for message in report.skipped] == [f"{tmp_path}/b.csv"]
    assert report.textless == [f"{tmp_path}/c.txt: has no text"]


def test_without_the_library_of_a_format_its_files_are_listed_unless_there_is_nothing_else(tmp_path, monkeypatch):
    def missing(_source):
        raise MissingExtraError("this needs pypdf: install it with pip install 'keyseq[files]'")

    monkeypatch.setattr("keyseq.data.formats.markdown.read", missing)
    write(tmp_path, {"b.md": "Text."})
    with pytest.raises(MissingExtraError):
        list(read_documents(tmp_path))
    write(tmp_path, {"a.txt": "Text."})
    report = ReadingReport()
    assert [document.id for document in CorpusReading().documents(tmp_path, report)] == ["a"]
    assert report.unread == [f"{tmp_path}/b.md: this needs pypdf: install it with pip install 'keyseq[files]'"]


def test_a_link_to_nothing_in_a_folder_is_a_bad_record(tmp_path):
    write(tmp_path, {"a.txt": "Fine."})
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere.txt")
    with pytest.raises(DataError, match=r"gone\.txt: no such file"):
        list(read_documents(tmp_path))
    skipped = []
    assert [document.id for document in read_documents(tmp_path, skipped=skipped)] == ["a"]
    assert skipped == [f"{tmp_path}/gone.txt: no such file"]


def test_a_link_to_a_folder_is_listed_and_the_mark_of_an_open_document_is_not(tmp_path):
    write(tmp_path / "papers", {"a.txt": "Fine.", "~$letter.docx": "me"})
    (tmp_path / "papers" / "again").symlink_to(tmp_path)
    report = ReadingReport()
    assert [document.id for document in CorpusReading().documents(tmp_path / "papers", report)] == ["a"]
    assert report.unread == [
        f"{tmp_path}/papers/again: is a link to a folder, which is not followed; name it on its own"
    ]
