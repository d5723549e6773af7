"""`keyseq data convert`: between formats, what is bad told, nothing half-written left."""

import gzip
import json
import subprocess
import sys
import zipfile

import pytest

from keyseq.cli import main
from keyseq.data.formats import FORMATS


def run(monkeypatch, *arguments):
    """Run in this process, and return the exit code."""
    monkeypatch.setattr(sys, "argv", ["keyseq", "data", "convert", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code or 0


def process(*arguments, **options):
    command = [sys.executable, "-m", "keyseq", "data", "convert", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, timeout=60, **options)


def zipped(path, name, content):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, content)


META = "META-INF/container.xml"
# by format: the name of a broken corpus, its content (or how to make it), what is said of it
BROKEN = {
    "jsonl": ("in.jsonl", b'{"title": "a"}\n{"title": 3}\n', "in.jsonl:2: 'title' must be a text, not a number"),
    "midas": ("in.jsonl", b'{"document": "a"}\n', "in.jsonl:1: 'document' must be a list of words, not a text"),
    "csv": ("in.csv", b"title,keywords\na,b\nc\n", "in.csv:3: has 1 cells where the header has 2"),
    "tsv": ("in.tsv", b"title\tkeywords\na\tb\tc\n", "in.tsv:2: has 3 cells where the header has 2"),
    "pairs": ("in.src", b"a\n\xff\n", "in.src:2: not UTF-8 (byte 0xFF)"),
    "keyword-extractor": (
        "in.zip",
        lambda path: zipped(path, "docsutf8/a.txt", b"a\n\xe9"),
        "in.zip/docsutf8/a.txt:2: not UTF-8 (byte 0xE9)",
    ),
    "annif-folder": (
        "in.zip",
        lambda path: zipped(path, "a.txt", b"a\n\xe9"),
        "in.zip/a.txt:2: not UTF-8 (byte 0xE9)",
    ),
    "annif-tsv": ("in.tsv", b"a\t<b>\n\t<c>\n", "in.tsv:2: has no text"),
    "ake": (
        "in.zip",
        lambda path: zipped(path, "test/a.xml", "<root>\n<sentence>\n</root>"),
        "in.zip/test/a.xml:3: not well-formed XML",
    ),
    "bibtex": ("in.bib", b"@misc{a, title = {x}}\n@misc{b, title = {open", "in.bib:2: an entry that cannot be parsed"),
    "ris": ("in.ris", b"TY  - GEN\nTI  - x\n", "in.ris:1: a reference without its end, 'ER  - '"),
    "txt": ("in.txt", b"a\nb\n\xe9", "in.txt:3: not UTF-8 (byte 0xE9)"),
    "markdown": ("in.md", b"<!-- nothing -->", "in.md: has no text"),
    "pdf": ("in.pdf", b"%PDF-1.7\nnothing", "in.pdf: cannot be read: it is damaged, or not a PDF"),
    "docx": ("in.docx", b"PK\x03\x04", "in.docx: damaged, or not DOCX; save it again where it was made"),
    "odt": ("in.odt", lambda path: zipped(path, "mimetype", ""), "in.odt: not ODT (it holds no META-INF/manif"),
    "html": ("in.html", b"only words", "in.html: holds no HTML; a plain text is named .txt"),
    "epub": (
        "in.epub",
        lambda path: zipped(path, META, "<a>"),
        "in.epub/META-INF/container.xml:1: not",
    ),
    "jats": ("in.nxml", b"<TEI/>", "in.nxml: holds no JATS article; its outermost element is 'TEI'"),
    "tei": ("in.tei", b"<TEI>\n<text></TEI>", "in.tei:2: not well-formed XML"),
    "xml": ("in.xml", b"<svg/>", "in.xml: XML of no known format: it begins with 'svg', not with article"),
    "csl-json": ("in.csljson", b'[{"title": "a"},\n3]', "in.csljson: item 2: must be a JSON object"),
    "pubmed": ("in.nbib", b"TI  - no number\n", "in.nbib:1: holds no record of PubMed, which begins with 'PMID'"),
    "wos": ("in.ciw", b"FN Clarivate\n", "in.ciw:1: holds no record of Web of Science, which begins with 'PT'"),
    "marc": ("in.mrc", b"00026 no end", "in.mrc: record 1 has no end: the file is truncated, or is not MARC 21"),
    "marcxml": ("in.marcxml", b"<collection>\n<record>", "in.marcxml:2: not well-formed XML"),
    "xlsx": ("in.xlsx", b"PK", "in.xlsx: damaged, or not Excel (.xlsx); save it again where it was made"),
    "parquet": ("in.parquet", b"PAR1 cut short", "in.parquet: damaged, or not a Parquet file"),
    "folder": ("in.zip", lambda path: zipped(path, "a.txt", "  \n"), "in.zip/a.txt: has no text"),
}


@pytest.mark.parametrize("format", FORMATS)
def test_a_broken_corpus_is_one_clear_sentence_and_leaves_no_output(tmp_path, monkeypatch, capsys, format):
    name, content, message = BROKEN[format]
    source = tmp_path / name
    if callable(content):
        content(source)
    else:
        source.write_bytes(content)
    assert run(monkeypatch, source, tmp_path / "out.csv.gz", "--from", format) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"keyseq: {tmp_path}/{message}")
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [source]


def test_a_process_ends_with_2_after_a_broken_file_and_leaves_nothing(tmp_path):
    (tmp_path / "in.jsonl.gz").write_bytes(gzip.compress(b'{"title": "a"}\n' * 50_000)[:-9])
    done = process(tmp_path / "in.jsonl.gz", tmp_path / "out.src")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"in.jsonl.gz: damaged, cut short or not a .gz file" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl.gz"]


def test_bad_records_are_skipped_on_request_counted_and_told(tmp_path, monkeypatch, capsys):
    (tmp_path / "in.jsonl").write_text('{"title": "a", "keywords": ["k"]}\n' + "{}\n" * 7)
    assert run(monkeypatch, tmp_path / "in.jsonl", tmp_path / "out.csv", "--skip-bad") == 1
    said = capsys.readouterr().err.splitlines()
    assert said[0] == f"1 document written to {tmp_path}/out.csv (csv)"
    assert said[1] == "skipped 7 records that cannot be read:"
    assert "in.jsonl:2: has no text" in said[2]
    assert said[-1] == "  and 2 more"
    assert len(said) == 8
    assert (tmp_path / "out.csv").read_text() == '"id","title","abstract","keywords"\n"1","a","","k"\n'


def test_a_pipe_takes_and_gives():
    done = process("-", "-", "--from", "csv", "--text-column", "Story", input=b"Story,Tags\nwords,a;b\n")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {"id": "1", "title": "", "abstract": "words", "keywords": ["a", "b"]}
    assert done.stderr == b"1 document written to standard output (jsonl)\n"


def test_what_the_format_cannot_hold_is_told(tmp_path, monkeypatch, capsys):
    (tmp_path / "in.jsonl").write_text('{"id": "x", "title": "a", "keywords": ["k", ""]}\n{"id": "2", "text": "b"}\n')
    assert run(monkeypatch, tmp_path / "in.jsonl", tmp_path / "out.src") == 0
    assert capsys.readouterr().err.splitlines()[1] == (
        "pairs does not keep ids (of 1), empty keyphrases (of 1), whether keyphrases are known (of 1)"
    )


def test_there_and_back_again_is_where_it_began(tmp_path, monkeypatch):
    start = tmp_path / "0.jsonl"
    start.write_text('{"id": "1", "title": "A title", "abstract": "One & two.", "keywords": ["a b", "c"]}\n')
    names = ["1.csv", "2.tsv.xz", "3.bib", "4.ris", "5.src.zst", "6.jsonl"]
    for source, target in zip([start.name, *names], names, strict=False):
        assert run(monkeypatch, tmp_path / source, tmp_path / target) == 0
    assert (tmp_path / "6.jsonl").read_text() == start.read_text()


def test_a_folder_that_is_there_is_not_written_over(tmp_path, monkeypatch, capsys):
    (tmp_path / "in.txt").write_text("a")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    assert run(monkeypatch, tmp_path / "in.txt", tmp_path / "out", "--to", "folder") == 2
    assert "already exists" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_help_names_every_format(monkeypatch, capsys):
    assert run(monkeypatch, "--help") == 0
    shown = capsys.readouterr().out
    assert [name for name in FORMATS if name not in shown] == []


def test_a_vocabulary_adds_labels_to_uris_and_uris_to_labels(tmp_path, monkeypatch, capsys):
    (tmp_path / "terms.tsv").write_text("<http://example.org/1>\tcats\n<http://example.org/2>\tdogs\n")
    (tmp_path / "in.jsonl").write_text('{"id": "1", "text": "Cats", "keywords": ["cat", "birds"]}\n')
    terms = ("--vocabulary", tmp_path / "terms.tsv")
    assert run(monkeypatch, tmp_path / "in.jsonl", tmp_path / "short.tsv", "--to", "annif-tsv", *terms) == 0
    assert (tmp_path / "short.tsv").read_text() == "Cats\t<http://example.org/1>\n"
    assert run(monkeypatch, tmp_path / "short.tsv", tmp_path / "out.jsonl", "--from", "annif-tsv", *terms) == 0
    assert json.loads((tmp_path / "out.jsonl").read_text())["keywords"] == ["cats"]
    capsys.readouterr()
