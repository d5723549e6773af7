"""What new users did in their first hours, and what they are told now; other rows are tested where they belong."""

import json
from pathlib import Path

import pytest
from tests.data.formats.sample_papers import SAMPLES
from tests.data.formats.written_files import WRITERS
from tests.data.formats.written_libraries import WRITERS as LIBRARIES
from typer.testing import CliRunner

import keyseq
from keyseq.cli import app
from keyseq.errors import KeyseqError
from keyseq.experiments.definition import load as load_experiment
from keyseq.experiments.run import run
from keyseq.experiments.workspace import Workspace

REPOSITORY = Path(__file__).parents[2]
TFIDF = ("--system", "tfidf", "--top", "2")


def generate(*arguments):
    done = CliRunner().invoke(app, ["generate", *map(str, arguments), *TFIDF])
    return done.stdout, f"{done.stderr}{done.exception if done.exit_code else ''}"


def test_finding_6_a_zotero_export_is_read_by_its_own_columns_and_says_so(tmp_path):
    LIBRARIES["Zotero CSV"][2](tmp_path / "zotero.csv", SAMPLES[:1])
    answer, told = generate(tmp_path / "zotero.csv", "--json")
    assert json.loads(answer)["id"] == SAMPLES[0].name
    assert "read as an export of Zotero: id from 'Key'" in told
    assert "text from 'Abstract Note'" in told


def test_finding_7_the_flags_that_a_message_recommends_are_there(tmp_path):
    (tmp_path / "mine.csv").write_text("Nr,Heading,Contents\n7,Social robots,They follow spoken commands.\n")
    _, told = generate(tmp_path / "mine.csv")
    assert "choose one with --title-column or --text-column" in told
    flags = ("--id-column", "Nr", "--title-column", "Heading", "--text-column", "Contents")
    answer, _ = generate(tmp_path / "mine.csv", *flags, "--json")
    assert json.loads(answer)["id"] == "7"


def test_finding_8_all_files_of_a_folder_are_read_or_listed_with_the_reason(tmp_path):
    (tmp_path / "deep").mkdir()
    for paper, kind in zip(SAMPLES, ("pdf", "docx", "html"), strict=False):
        suffix, write = WRITERS[kind]
        write(tmp_path / "deep" / f"{paper.name}{suffix}", paper)
    (tmp_path / "note.txt").write_text("Social robots follow spoken commands.")
    (tmp_path / "picture.bmp").write_bytes(b"BM")
    answer, told = generate(tmp_path, "--json")
    assert len(answer.splitlines()) == 4
    assert "1 file that is not read:" in told
    assert "picture.bmp: is of no format that keyseq reads" in told


def test_finding_8_a_damaged_file_of_a_folder_is_told_with_the_flag_that_leaves_it_out(tmp_path):
    (tmp_path / "note.txt").write_text("Social robots follow spoken commands.")
    (tmp_path / "scan.pdf").write_bytes(b"\x89PNG")
    told = generate(tmp_path)[1]
    assert told.endswith(
        "scan.pdf: cannot be read: it is damaged, or not a PDF; --skip-bad leaves out what cannot be read"
    )
    assert "skip-bad" not in generate(tmp_path / "scan.pdf")[1]  # which would leave nothing
    answer, told = generate(tmp_path, "--skip-bad")
    assert "robots" in answer
    assert "skipped 1 record that cannot be read:" in told


@pytest.mark.parametrize("kind", ["pdf", "docx", "odt", "html", "epub", "jats", "tei", "markdown"])
def test_finding_9_documents_are_read_on_the_command_line_and_in_python_alike(tmp_path, kind):
    suffix, write = WRITERS[kind]
    path = tmp_path / f"paper{suffix}"
    write(path, SAMPLES[0])
    answer, told = generate(path, "--json")
    [document] = keyseq.read(path)
    assert document.title == SAMPLES[0].title, told
    found = keyseq.generate(document, "tfidf", top=2)
    assert [phrase["text"] for phrase in json.loads(answer)["keyphrases"]] == found.texts


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.txt", "Social robots".encode("utf-16-le"), "looks like UTF-16 without a byte order mark"),
        ("rtf.txt", rb"{\rtf1\ansi Social robots}", "is an RTF document, not text; save it as .docx or .pdf"),
        ("b.txt", b"\x89PNG\r\n\x1a\n\0\0", "is a PNG image, not text"),
        ("c.txt", b"\0\x01\x02\xff\xfe\xfd" * 9, "is a binary file, not text"),
        ("d.txt", "Größe".encode("cp1252"), "name its encoding with --encoding, such as cp1252"),
    ],
)
def test_finding_26_what_is_no_utf8_text_is_called_what_it_is(tmp_path, name, content, told):
    (tmp_path / name).write_bytes(content)
    assert told in generate(tmp_path / name)[1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("https://example.org/paper.pdf",), "is an address, and keyseq does not go online"),
        (("s3://bucket/paper.pdf",), "is a URI; keyseq generate reads URIs of storage only with --workers or --ray"),
        (("paper.txt", "--present", "--absent"), "--present and --absent exclude each other"),
        (("paper.txt", "--min-score", "7"), "7"),
    ],
)
def test_finding_26_mistakes_are_told_as_what_they_are(arguments, told):
    assert told in generate(*arguments)[1]


# what was asked, and what is told: the place, the problem, the fix
MISTAKES = [
    ("generate plain.txt --encoding utf-16", "plain.txt: not utf-16, as it has no byte order mark"),
    ("generate broken.bib", "broken.bib:1: an entry that cannot be parsed (Unexpectedly reached end of file); --skip"),
    ("generate empty.csv", "empty.csv: has no header with the names of columns"),
    ("generate paper.docx", "paper.docx: damaged, or not DOCX; save it again where it was made, or give it the suffix"),
    ("generate paper.tex", "paper.tex: is the source of a LaTeX document, which keyseq does not read; give the .pdf"),
    ("generate plain.txt --system folder/plain.txt", "folder/plain.txt: is a file; name the folder of a system"),
    ("generate plain.txt --out k.zip", "k.zip: generate does not write .zip; choose a --format, or another name"),
    ("generate plain.txt --out k.doc", "k.doc: generate does not write .doc; choose a --format, or another name"),
    ("generate plain.txt --out k.tsv", "name one tsv file to read, or write text, .jsonl or .csv"),
    ("generate plain.txt --decoding greedy", "auto has no setting 'decoding'; systems with it: scholar-network"),
    ("generate plain.txt --system tfidf --beta 2", "tfidf has no setting 'beta'; systems with it: auto, scholar"),
    ("evaluate empty.jsonl said.jsonl", "the gold corpus contains no documents; check its name and format"),
    ("evaluate gold.jsonl said.jsonl --metrics f1@5", "'f1@5'; say of which phrases: present.f1@5, absent.f1@5, all"),
    ("train kea --train empty.jsonl --out k", "the corpus contains no documents"),
    ("train textrank --train gold.jsonl --out k", "textrank: needs no training; keyseq train makes kea, maui, comb"),
    ("train kea --train gold.jsonl --valid none.jsonl --out k", "none.jsonl: no such file or folder"),
    ("train combined --train gold.jsonl --valid none.jsonl --out k", "none.jsonl: no such file or folder"),
    ("generate plain.txt --system tfidf --language xx", "unknown language 'xx'; choose one of en (English), ar"),
    ("serve --host= --port 0", "--host is empty; it is an address of this machine, such as 127.0.0.1 or 0.0.0.0"),
    ("serve --port 0 --allow-host a\tb", "--allow-host a\tb is not a host name; write one such as keys.example.org"),
    ("generate plain.txt --system=", "the name of the system is empty; keyseq systems lists the names"),
    ("train tiny --train gold.jsonl --valid none.jsonl --out k", "none.jsonl: no such file or folder"),
]


@pytest.mark.parametrize(("asked", "told"), MISTAKES)
def test_finding_26_a_mistake_is_told_with_its_place_and_what_to_do_and_leaves_nothing(
    tmp_path, monkeypatch, asked, told
):
    (tmp_path / "folder").mkdir()
    for name in ("plain.txt", "folder/plain.txt", "paper.tex", "paper.docx"):
        (tmp_path / name).write_text("Social robots follow spoken commands.\n")
    (tmp_path / "broken.bib").write_text("@article{a, title={X}, \n")
    (tmp_path / "gold.jsonl").write_text('{"id": "1", "title": "Robots", "keywords": ["robots"]}\n')
    (tmp_path / "said.jsonl").write_text('{"id": "1", "keyphrases": ["robots"]}\n')
    for name in ("empty.csv", "empty.jsonl"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    done = CliRunner().invoke(app, asked.split(" "))
    assert isinstance(done.exception, KeyseqError)
    assert told in str(done.exception)
    assert "\n" not in str(done.exception)
    assert sorted(tmp_path.rglob("*")) == before


def test_finding_26_no_name_at_all_is_not_the_folder_that_one_is_in(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("Social robots follow spoken commands.")
    monkeypatch.chdir(tmp_path)
    assert generate("") == ("", "a file name is empty; name a file or a folder")


def test_finding_26_an_unknown_system_to_train_is_told_before_anything_else_is_asked_for(tmp_path):
    for name, hint in (("catseqq", "did you mean 'catseq"), ("foo", "there are catseq")):
        arguments = ["train", name, "--train", str(tmp_path / "a.jsonl"), "--out", str(tmp_path / "out")]
        told = str(CliRunner().invoke(app, arguments).exception)
        assert told.startswith(f"no system '{name}' to train, nor such a TOML file; {hint}")


def test_finding_26_a_run_that_cannot_be_resumed_names_what_differs(tmp_path):
    (tmp_path / "a.txt").write_text("Social robots follow spoken commands.")
    folder = tmp_path / "parts"
    generate(tmp_path / "a.txt", "--workers", "1", "--out", folder)
    told = generate(tmp_path / "a.txt", "--workers", "1", "--min-score", "0.5", "--out", folder)[1]
    assert "(settings min_score: none there, 0.5 now)" in told


def test_finding_29_the_guide_to_training_calls_the_argument_as_the_command_does():
    assert "SYSTEM" in CliRunner().invoke(app, ["train", "--help"]).stdout
    assert "CONFIG" not in (REPOSITORY / "docs" / "how-to" / "train.md").read_text(encoding="utf-8")


def test_finding_29_two_means_of_one_corpus_are_explained_where_they_are_printed(tmp_path):
    line = json.dumps({"id": "1", "title": "T", "abstract": "Social robots.", "keywords": ["social robots"]}) + "\n"
    for split in ("valid", "test"):
        (tmp_path / "data" / split).mkdir(parents=True)
        (tmp_path / "data" / split / "krapivin.jsonl").write_text(line)
    outcome = run(load_experiment("statistics"), Workspace(data=tmp_path / "data", out=tmp_path / "out"), "")
    notes = [note for section in outcome.sections for note in section.notes]
    assert any("Mean and Var are of the validation set if there is one" in note for note in notes)
    guide = (REPOSITORY / "docs" / "how-to" / "datasets.md").read_text(encoding="utf-8")
    assert "Its mean and variance are those of the validation sets" in guide
