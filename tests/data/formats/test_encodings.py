"""Texts in other encodings than UTF-8: read where the encoding is known, told where it is not."""

import gzip

import pytest

from keyseq.data.formats import Columns, CorpusReading, read_documents
from keyseq.errors import DataError
from keyseq.types import Document

TEXT = "Über den Zufall – naïve Schätzer"
CSV = f"id;Titel;Zusammenfassung\n7;{TEXT};Zwei Größen.\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path, encoding):
    (tmp_path / "a.txt").write_bytes(TEXT.encode(encoding))
    assert list(read_documents(tmp_path / "a.txt")) == [Document(id="a", body=TEXT)]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le", "utf-16-be", "mac-roman"])
def test_a_named_encoding_is_used_for_all_text_formats(tmp_path, encoding):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(TEXT.encode(encoding)))
    (tmp_path / "a.bib").write_bytes(f"@misc{{k, title = {{{TEXT}}}}}".encode(encoding))
    (tmp_path / "a.jsonl").write_bytes(f'{{"title": "{TEXT}"}}\n\n{{"title": "b"}}\n'.encode(encoding))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.md").write_bytes(f"# {TEXT}\n".encode(encoding))
    for name in ("a.txt.gz", "a.bib", "a.jsonl", "folder"):
        first = next(iter(CorpusReading(encoding=encoding).documents(tmp_path / name)))
        assert TEXT in (first.title, first.body)


def test_a_character_may_lie_across_two_pieces_of_a_file(tmp_path):
    text = "a" + "é" * 100_000
    (tmp_path / "a.txt").write_bytes(text.encode("utf-16-le"))
    [document] = CorpusReading(encoding="utf-16-le").documents(tmp_path / "a.txt")
    assert document.body == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"fine\ncaf\xe9 ol\xe9", r"a\.txt:2: not UTF-8 \(byte 0xE9\); name its encoding with --encoding, such as cp1"),
        (TEXT.encode("utf-16-le"), r"a\.txt: looks like UTF-16 without a byte order mark; .* --encoding utf-16-le"),
        (TEXT.encode("utf-16-be"), r"a\.txt: looks like UTF-16 .* --encoding utf-16-be"),
        (b"%PDF-1.7\n\xff", r"a\.txt: is a PDF, not text; give it the suffix of its format, or .* --from"),
        (b"PK\x03\x04\xff", r"a\.txt: is a zip archive or an office document, not text"),
        (b"\x89PNG\r\n\x1a\n\xff", r"a\.txt: is a PNG image, not text"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00\xff\xfe" * 5, r"a\.txt: is a binary file, not text"),
    ],
)
def test_what_is_no_utf8_text_is_told_apart(tmp_path, content, message):
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(DataError, match=message):
        list(read_documents(tmp_path / "a.txt"))


def test_a_wrong_encoding_is_told_with_the_line(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"title\nfine\n\x81\n")
    with pytest.raises(DataError, match=r"a\.csv:3: not cp1252 \(byte 0x81\); check --encoding"):
        list(CorpusReading(encoding="cp1252").documents(tmp_path / "a.csv"))


@pytest.mark.parametrize("name", ["utf-9", "rot13", "", "\0"])
def test_an_unknown_encoding_is_refused_at_once(name):
    with pytest.raises(DataError, match="unknown encoding"):
        CorpusReading(encoding=name)


def test_columns_and_encoding_work_together(tmp_path):
    (tmp_path / "a.csv").write_bytes(CSV.replace(";", ",").encode("cp1252"))
    reading = CorpusReading(encoding="cp1252", columns=Columns(title="Titel", text="Zusammenfassung"))
    assert list(reading.documents(tmp_path / "a.csv")) == [Document(id="7", title=TEXT, body="Zwei Größen.")]
