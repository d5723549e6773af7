"""Which format a corpus has, by its name or by what it holds."""

import io
from pathlib import Path

import pytest

from keyseq.data.formats import FORMATS, format_to_write, read_documents, write_documents
from keyseq.data.formats.columns import ALIASES
from keyseq.data.formats.format import LOSSES
from keyseq.errors import DataError
from keyseq.types import Document


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.jsonl", "jsonl"),
        ("kp20k_test.json", "jsonl"),
        ("A.CSV.GZ", "csv"),
        ("a.tsv.zst", "tsv"),
        ("a.src", "pairs"),
        ("test_src.txt", "pairs"),
        ("a.bib", "bibtex"),
        ("a.ris.xz", "ris"),
        ("notes.txt", "txt"),
        ("a.md", "markdown"),
        ("a.zip", "keyword-extractor"),
    ],
)
def test_a_name_tells_the_format(tmp_path, name, format):
    assert format_to_write(tmp_path / name) == format


def test_a_name_that_tells_nothing_is_answered_with_the_choices(tmp_path):
    (tmp_path / "a.xyz").write_text("x")
    with pytest.raises(
        DataError, match=r"a\.xyz: the name does not show the format; choose one with --from: jsonl, midas"
    ):
        read_documents(tmp_path / "a.xyz")
    with pytest.raises(
        DataError, match=r"choose one with --to: .*, keyword-extractor, annif-folder, .*, ris, txt, folder$"
    ):
        write_documents([], tmp_path / "b.xyz")
    with pytest.raises(DataError, match=r"unknown format 'json'; did you mean 'jsonl'\?"):
        read_documents(tmp_path / "a.xyz", format="json")


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("letter.doc", "save it as .docx or .pdf"),
        ("Letter.RTF", "save it as .docx or .pdf"),
        ("savedrecs.xls", "save it as .xlsx or .csv"),
        ("talk.pptx", "save them as .pdf"),
        ("refs.enw", "export it as .ris or .bib"),
        ("scan.jpeg", "make a .pdf with text of it"),
        ("papers.rar", "unpack it, or make a .zip of it"),
        ("paper.tex", "give the .pdf made of it"),
        ("notes.ipynb", "save it as .md or .html"),
        ("notes.rst", "rename it to .txt"),
    ],
)
def test_a_file_of_a_kind_that_is_not_read_is_answered_with_what_to_do(tmp_path, name, advice):
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(DataError, match=rf"{name}: .*; .*{advice}"):
        read_documents(tmp_path / name)


def test_what_is_not_there_is_told_before_anything_is_read(tmp_path):
    with pytest.raises(DataError, match=r"a\.jsonl: no such file or folder"):
        read_documents(tmp_path / "a.jsonl")
    with pytest.raises(DataError, match=r"Inspec: no such file or folder"):
        read_documents(f"{tmp_path}/Inspec#test")
    (tmp_path / "a.jsonl").write_text('{"title": "a"}')
    with pytest.raises(DataError, match="only ake corpora have parts"):
        read_documents(f"{tmp_path}/a.jsonl#test")


def test_a_folder_without_a_corpus_is_told(tmp_path):
    with pytest.raises(DataError, match="holds no file of a format that keyseq reads"):
        read_documents(tmp_path)


@pytest.mark.parametrize("format", [name for name in FORMATS if not FORMATS[name].write])
def test_a_format_without_a_writer_says_so(tmp_path, format):
    with pytest.raises(DataError, match=rf"{format} can be read but not written; choose one of jsonl, midas, csv"):
        write_documents([], tmp_path / "a", format)


def test_a_stream_takes_one_file_and_jsonl_by_default():
    out = io.StringIO()
    assert write_documents([Document(id="1", body="é")], out) == 1
    assert out.getvalue() == '{"id": "1", "title": "", "abstract": "é"}\n'
    with pytest.raises(DataError, match="consists of several files; name a file or folder to write"):
        write_documents([], out, "pairs")


def test_every_loss_that_a_format_declares_can_be_counted():
    assert {loss for known in FORMATS.values() for loss in known.loses} == set(LOSSES)


def test_the_documentation_tells_how_each_format_is_known_and_what_it_loses():
    page = (Path(__file__).parents[3] / "docs" / "reference" / "formats.md").read_text()
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `")]
    for name, known in FORMATS.items():
        [row] = [row for row in rows if f"`{name}`" in row[0]]
        assert [suffix for suffix in known.suffixes if f"`{suffix}`" not in row[1]] == []
        assert ", ".join(known.loses) in row[3]
        assert ("not written" in row[3].split(";")[0]) == (known.write is None)


def test_the_documentation_lists_the_names_of_fields():
    page = (Path(__file__).parents[3] / "docs" / "reference" / "formats.md").read_text()
    for names in ALIASES.values():
        assert " | " + ", ".join(f"`{name}`" for name in names) in page
