"""Tagging a library keeps it whole: the path of a librarian on the command line."""

import csv
import json

import pyarrow.parquet as pq
import pytest
from tests.data.formats.sample_papers import SAMPLES
from tests.data.formats.written_libraries import WRITERS
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.data.formats import read_documents

TFIDF = ("--system", "tfidf", "--top", "2")
ENTRY = "@article{{k{0},\n  title = {{Voice recognition for a social robot {0}}},\n  keywords = {{robots}}\n}}\n"
TEXTLESS = "@misc{none,\n  author = {A. Nobody},\n  note = {Keep me.}\n}\n"


def keyseq(*arguments):
    done = CliRunner().invoke(app, ["generate", *map(str, arguments)])
    return done, str(done.exception or "") + done.stderr


@pytest.fixture
def library(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entries = [ENTRY.format(number) for number in range(600)]
    path = tmp_path / "library.bib"
    path.write_text("".join([*entries[:2], TEXTLESS, *entries[2:]]))
    return path


def test_finding_18_an_entry_without_a_text_passes_through_untagged_and_is_counted(library):
    done, told = keyseq(library, *TFIDF, "--out", "tagged.bib")
    assert done.exit_code == 0, told
    assert "1 record without a text is in the output as before, without keyphrases:" in told
    assert "library.bib:9: has no text" in told
    tagged = (library.parent / "tagged.bib").read_text()
    assert TEXTLESS in tagged
    assert tagged.count("keywords = {robots, ") == 600


def test_finding_19_workers_write_the_same_library(library):
    keyseq(library, *TFIDF, "--out", "one.bib")
    done, told = keyseq(library, *TFIDF, "--workers", 2, "--out", "two.bib")
    assert done.exit_code == 0, told
    assert "1 record without a text" in told
    one, two = ((library.parent / name).read_bytes() for name in ("one.bib", "two.bib"))
    assert one == two


@pytest.mark.parametrize("flags", [("--ray",), ("--part-size", "5"), ("--compress", "gz")])
def test_finding_19_what_writes_a_folder_is_refused_for_a_library(library, flags):
    done, told = keyseq(library, *TFIDF, "--workers", 2, *flags, "--out", "tagged.bib")
    assert done.exit_code
    assert "is for part files, not for bibtex, which is one file" in told
    assert not (library.parent / "tagged.bib").exists()


@pytest.mark.parametrize(("kind", "suffix"), [("CSL-JSON", ".json"), ("MARCXML", ".xml"), ("Parquet", ".parquet")])
def test_a_library_is_tagged_where_only_its_content_tells_what_it_is(library, kind, suffix):
    known, _, write = WRITERS[kind]
    write(library.with_suffix(suffix), SAMPLES[:2])
    done, told = keyseq(library.with_suffix(suffix), *TFIDF, "--out", f"tagged{suffix}")
    assert done.exit_code == 0, told
    before, after = (list(read_documents(f"{name}{suffix}", format=known)) for name in ("library", "tagged"))
    assert [(one.title, one.body) for one in before] == [(one.title, one.body) for one in after]
    assert (library.parent / f"tagged{suffix}").read_bytes() != library.with_suffix(suffix).read_bytes()


def test_predictions_are_written_as_parquet_where_the_name_or_the_flag_says_so(library):
    library.write_text(ENTRY.format(1) + TEXTLESS)
    for flags in (("--out", "a.parquet"), ("--format", "parquet", "--out", "b.pq")):
        done, told = keyseq(library, *TFIDF, *flags)
        assert done.exit_code == 0, told
        [row] = pq.read_table(library.with_name(flags[-1])).to_pylist()
        assert row["id"] == "k1"
        assert [phrase["present"] for phrase in row["keyphrases"]] == [True, True]
    assert "parquet is a binary format; name a file to write" in keyseq(library, *TFIDF, "--format", "parquet")[1]


def test_finding_19_nor_is_a_folder_made_under_the_name_of_a_file(library):
    corpus = library.with_name("corpus.jsonl")
    corpus.write_text('{"title": "Voice recognition for a social robot"}\n')
    done, told = keyseq(corpus, *TFIDF, "--workers", 2, "--out", "rows.csv")
    assert done.exit_code
    assert "rows.csv: --workers and --ray write a folder of part files; name a folder" in told


def test_a_library_is_told_by_its_format_not_only_by_its_name(library):
    path = library.with_name("export.txt")
    path.write_text("TY  - JOUR\nTI  - Voice recognition for a social robot\nER  - \n")
    done, told = keyseq(path, *TFIDF, "--from", "ris", "--format", "ris")
    assert done.exit_code == 0, told
    assert "KW  - " in done.stdout


@pytest.mark.parametrize("flags", [("--format", "bibtex"), ("--out", "tagged.bib")])
def test_standard_input_which_cannot_be_read_twice_is_refused_for_a_library(library, flags):
    done, told = keyseq("-", *TFIDF, "--from", "bibtex", *flags)
    assert done.exit_code
    assert "-: bibtex is written by reading it twice, and standard input can be read once; name a file" in told
    assert not (library.parent / "tagged.bib").exists()


def test_a_table_comes_back_with_a_column_and_rows_without_a_text_stay(tmp_path):
    path, out = tmp_path / "zotero.csv", tmp_path / "tagged.csv"
    WRITERS["Zotero CSV"][2](path, SAMPLES[:2])
    with path.open("a", encoding="utf-8") as file:
        file.write("KEY3,book,2001,Nobody,,,,\r\n")
    done, told = keyseq(path, *TFIDF, "--out", out, "--column", "Subjects")
    assert done.exit_code == 0, told
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["Subjects"].startswith("Voice recognition; ")
    assert rows[2] == {**dict.fromkeys(rows[0], ""), **rows[2], "Subjects": ""}
    assert "read as an export of Zotero" in told


def test_rows_of_phrases_are_still_written_on_request_and_from_other_files(tmp_path):
    path, corpus = tmp_path / "table.csv", tmp_path / "corpus.jsonl"
    path.write_text("title\nVoice recognition for a social robot\n")
    corpus.write_text('{"title": "Voice recognition for a social robot"}\n')
    for source, flags in ((path, ("--format", "csv")), (corpus, ())):
        out = tmp_path / f"{source.stem}-rows.csv"
        assert keyseq(source, *TFIDF, *flags, "--out", out)[0].exit_code == 0
        assert out.read_text().startswith("id,rank,keyphrase,score,present\n")


@pytest.mark.parametrize("kind", ["MARC 21", "MARCXML", "Excel", "CSL-JSON"])
def test_other_libraries_come_back_in_their_own_format(tmp_path, kind):
    known, suffix, write = WRITERS[kind]
    path, out = tmp_path / f"library{suffix}", tmp_path / f"tagged{suffix}"
    write(path, SAMPLES[:2])
    flags = ("--format", known) if kind == "CSL-JSON" else ()
    done, told = keyseq(path, *TFIDF, *flags, "--out", out)
    assert done.exit_code == 0, told
    again = CliRunner().invoke(app, ["generate", str(out), *TFIDF, "--json", *(("--from", known) if flags else ())])
    assert [json.loads(line)["id"] for line in again.stdout.splitlines()] == [one.name for one in SAMPLES[:2]]
    assert out.read_bytes() != path.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("library.bib", "--out", "x.bib", "--column", "a"), "--column is for tables; in bibtex"),
        (("table.csv", "--out", "x.csv", "--existing", "keep"), "--existing is for libraries; a table gets a column"),
        (("library.bib", "--existing", "keep"), "--existing is for libraries and tables to which"),
        (("library.bib", "--out", "x.pdf"), "x.pdf: generate does not write pdf; choose a --format, or another name"),
        (
            ("library.bib", "--out", "x.ris"),
            "ris is written by adding keywords to a file that is read; name",
        ),
        (("table.csv", "library.bib", "--out", "x.xlsx"), "name one xlsx file to read"),
    ],
)
def test_mistakes_are_told_before_the_work(library, arguments, told):
    (library.parent / "table.csv").write_text("title\nVoice recognition\n")
    done, message = keyseq(*arguments, *TFIDF)
    assert done.exit_code
    assert told in message
    assert not list(library.parent.glob("x.*"))
