"""`keyseq.read`: files as Python users read them."""

import pytest

import keyseq
from keyseq.errors import DataError
from keyseq.types import Document


def test_a_file_is_read_at_the_top_of_the_package(tmp_path):
    (tmp_path / "a.md").write_text("# Robots\n\nThey talk.")
    assert list(keyseq.read(tmp_path / "a.md")) == [Document(id="a", title="Robots", body="They talk.")]
    assert "read" in keyseq.__all__


def test_the_options_are_those_of_the_command_line(tmp_path):
    (tmp_path / "a.dat").write_bytes("Nr,Titel,Text,Wörter\n7,Größe,Viel.,a|b\n".encode("cp1252"))
    [document] = keyseq.read(
        tmp_path / "a.dat",
        format="csv",
        id_column="Nr",
        title_column="Titel",
        text_column="Text",
        keywords_column="Wörter",
        separator="|",
        encoding="cp1252",
    )
    assert document == Document(id="7", title="Größe", body="Viel.", keyphrases=("a", "b"))


def test_bad_records_are_errors_unless_there_is_a_list_for_them(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"title": "a"}\nnot JSON\n')
    with pytest.raises(DataError, match=r"a\.jsonl:2: not a JSON object"):
        list(keyseq.read(tmp_path / "a.jsonl"))
    skipped = []
    assert [document.title for document in keyseq.read(tmp_path / "a.jsonl", skipped=skipped)] == ["a"]
    assert len(skipped) == 1


@pytest.mark.parametrize("address", ["https://example.org/paper.pdf", "HTTP://example.org", "ftp://example.org/a.txt"])
def test_an_address_is_refused_in_one_sentence(address):
    with pytest.raises(DataError, match="is an address, and keyseq does not go online; download the file"):
        keyseq.read(address)


def test_an_unknown_option_is_told_with_the_nearest():
    with pytest.raises(DataError, match=r"unknown reading option 'title_colum'; did you mean 'title_column'\?"):
        keyseq.read("a.csv", title_colum="Heading")
