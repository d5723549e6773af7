"""No verb overwrites a file that it reads, whatever name its output is given, nor in silence one that is there."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
import typer
from tests.data.dump import question, site

from keyseq import pretrained
from keyseq.cli import app, main

RECORD = {
    "id": "1",
    "title": "Voice recognition for social robots",
    "abstract": "A social robot follows spoken commands of older people, which voice recognition makes easier.",
    "keywords": ["voice recognition", "social robots"],
}
BIB = "% mine\n@article{k1,\n  title = {Voice recognition for a social robot},\n  note = {Keep me.}\n}\n"
RIS = "TY  - JOUR\nTI  - Voice recognition for a social robot\nN1  - Keep me.\nER  - \n"
TFIDF = ("--system", "tfidf")
OUT = "OUT"

# the input that the output is to overwrite, the verb, and its arguments with OUT for the output
CASES = [
    ("corpus.jsonl", "generate", "corpus.jsonl", *TFIDF, "--out", OUT),
    ("paper.txt", "generate", "paper.txt", *TFIDF, "--out", OUT),
    ("paper.md", "generate", "paper.md", *TFIDF, "--out", OUT),
    ("table.csv", "generate", "table.csv", *TFIDF, "--out", OUT),
    ("corpus.jsonl.gz", "generate", "corpus.jsonl.gz", *TFIDF, "--out", OUT),
    ("paper.txt", "generate", "corpus.jsonl", "paper.txt", *TFIDF, "--out", OUT),
    ("folder/b.txt", "generate", "folder", *TFIDF, "--out", OUT),
    ("list.txt", "generate", "paper.txt", *TFIDF, "--deny-list", "list.txt", "--out", OUT),
    ("list.txt", "generate", "paper.txt", "--allow-list", "list.txt", "--out", OUT),
    ("list.txt", "generate", "paper.txt", "--vocabulary", "list.txt", "--out", OUT),
    ("terms.vocabulary", "vocabulary compile", "terms.vocabulary", "--out", OUT),
    ("list.bib", "generate", "library.bib", *TFIDF, "--deny-list", "list.bib", "--out", OUT),
    ("rare.txt", "generate", "paper.txt", *TFIDF, "--frequencies", "rare.txt", "--out", OUT),
    ("network/settings.toml", "generate", "paper.txt", "--system", "./network", "--out", OUT),
    ("network/weights.safetensors", "generate", "paper.txt", "--system", "./network", "--out", OUT),
    ("library.bib", "generate", "library.bib", *TFIDF, "--format", "text", "--out", OUT),
    ("library.ris", "generate", "library.ris", *TFIDF, "--format", "jsonl", "--out", OUT),
    ("corpus.jsonl", "data convert", "corpus.jsonl", OUT),
    ("library.bib", "data convert", "library.bib", OUT),
    ("pairs.src", "data convert", "pairs.src", OUT),
    ("archive.zip", "data convert", "archive.zip", OUT),
    ("corpus.jsonl", "data clean", "corpus.jsonl", "--out", OUT),
    ("held.json", "data clean", "corpus.jsonl", "--out", "new.jsonl", "--against", "held.json", "--report", OUT),
    ("corpus.jsonl", "data drop", "corpus.jsonl", "--out", OUT),
    ("corpus.jsonl", "data fill", "corpus.jsonl", "said.jsonl", "--out", OUT),
    ("said.jsonl", "data fill", "corpus.jsonl", "said.jsonl", "--out", OUT),
    ("corpus.jsonl", "data frequencies", "corpus.jsonl", "--out", OUT),
    ("gold.png", "data stats", "gold.png", "--from", "jsonl", "--plot", OUT),
    ("corpus.jsonl", "evaluate", "corpus.jsonl", "said.jsonl", "--out", OUT),
    ("said.jsonl", "evaluate", "corpus.jsonl", "said.jsonl", "--out", OUT),
    ("corpus.jsonl", "evaluate", "corpus.jsonl", "said.jsonl", "--per-document", OUT),
    ("said.jsonl", "evaluate", "corpus.jsonl", "said.jsonl", "--per-document", OUT),
    ("corpus.jsonl", "evaluate", "corpus.jsonl", "said.jsonl", "--protocol", "annif", "--per-subject", OUT),
    ("corpus.jsonl", "compare", "corpus.jsonl", "said.jsonl", "other.jsonl", "--samples", "9", "--out", OUT),
    ("other.jsonl", "compare", "corpus.jsonl", "said.jsonl", "other.jsonl", "--samples", "9", "--out", OUT),
    (
        "gold.png",
        "compare",
        "gold.png",
        "said.jsonl",
        "other.jsonl",
        "--from",
        "jsonl",
        "--samples",
        "9",
        "--plot",
        OUT,
    ),
]
# verbs that write new folders, or into folders of their own, and are asked to write where their input is
FOLDERS = [
    ("folder", "data convert", "folder", OUT, "--to", "folder"),
    ("folder", "generate", "folder", *TFIDF, "--workers", "1", "--out", OUT),
    ("folder", "generate", "folder/b.txt", *TFIDF, "--workers", "1", "--out", OUT),
    ("folder", "train", "kea", "--train", "folder/a.jsonl", "--out", OUT),
    ("folder", "adapt", "folder/a.jsonl", "--out", OUT),
    ("run", "export", "run", OUT),
    ("run", "average", "run", "run/best=1", "--out", OUT),
]
# what a verb writes to, by the names of its parameters; the folders of these verbs are tested with the verbs
OUTPUTS = {"out", "target", "plot", "report", "per_document", "per_subject"}
ELSEWHERE = {"data stackexchange", "experiment"}


def write_inputs(folder):
    """Inputs of every kind that verbs read."""
    line = json.dumps(RECORD) + "\n"
    texts = {
        **dict.fromkeys(("corpus.jsonl", "held.json", "gold.png", "folder/a.jsonl"), line),
        **dict.fromkeys(("paper.txt", "paper.md", "folder/b.txt", "pairs.src"), RECORD["abstract"] + "\n"),
        **dict.fromkeys(("said.jsonl", "other.jsonl"), json.dumps({"id": "1", "keyphrases": ["social robots"]}) + "\n"),
        **dict.fromkeys(("list.txt", "list.bib"), "social robots\n"),
        "table.csv": "id,title,abstract\n1,Voice recognition,A social robot.\n",
        "pairs.tgt": "social robots\n",
        "library.bib": BIB,
        "library.ris": RIS,
    }
    (folder / "folder").mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)
    with ZipFile(folder / "archive.zip", "w") as archive:
        archive.writestr("docsutf8/1.txt", RECORD["abstract"])
        archive.writestr("keys/1.key", "social robots\n")
    for arguments in (
        ["data", "convert", "corpus.jsonl", "corpus.jsonl.gz"],
        ["data", "frequencies", "corpus.jsonl", "--least", "1", "--out", "rare.txt"],
        ["vocabulary", "compile", "list.txt", "--out", "terms.vocabulary"],
    ):
        assert keyseq(arguments) == 0


def keyseq(arguments):
    """Run the command line in this process, and return its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["keyseq", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
    return ended.value.code or 0


@pytest.fixture
def inputs(tmp_path, monkeypatch):
    (tmp_path / "inputs").mkdir()
    monkeypatch.chdir(tmp_path / "inputs")
    write_inputs(tmp_path / "inputs")
    return tmp_path / "inputs"


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def alias(kind, path):
    """Another name of a file that ends alike, as the formats are told by the ends of names."""
    other = path.with_name(f"other-{path.name}")
    if kind == "symbolic link":
        other.symlink_to(path.name)
    elif kind == "hard link":
        other.hardlink_to(path)
    elif kind == "by way of another folder":
        return Path("..", Path.cwd().name, path)
    return path if kind == "same path" else other


def refused(case, out, capsys):
    _, verb, *arguments = case
    before = contents(Path())
    capsys.readouterr()
    code = keyseq([*verb.split(), *(out if given == OUT else given for given in arguments)])
    told = capsys.readouterr().err
    after = contents(Path())
    assert {path: after.get(path) for path in before} == before, "an input was changed"
    assert after.keys() - before.keys() <= {Path("folder/.lock")}, "something was left behind"
    assert code == 2, told
    assert told.count("\n") == 1
    assert told.startswith(f"keyseq: {out}"), told
    return told


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_finding_1_and_row_3_an_output_that_is_an_input_is_refused(case, inputs, capsys):
    if "./network" in case:
        shutil.copytree(Path(pretrained.__file__).parent / "scholar-network", inputs / "network")
    told = refused(case, case[0], capsys)
    if "/" in case[0]:  # a file in a folder that is read
        assert told.endswith("exists already; write to another file, or replace it with --overwrite\n")
    else:
        assert told.endswith("this command reads the file that it would overwrite; write to another one\n")


@pytest.mark.parametrize("kind", ["symbolic link", "hard link", "by way of another folder"])
@pytest.mark.parametrize("case", {case[1]: case for case in CASES}.values(), ids=" ".join)
def test_finding_1_and_row_3_no_other_name_of_an_input_hides_it(case, kind, inputs, capsys):  # noqa: ARG001  # where it is written
    out = alias(kind, Path(case[0]))
    told = refused(case, out, capsys)
    assert told.endswith(f"is the same file as {case[0]}, which this command reads; write to another one\n")


@pytest.mark.parametrize("case", FOLDERS, ids=" ".join)
def test_a_folder_that_holds_an_input_is_refused(case, inputs, run, capsys):
    shutil.copytree(run, inputs / "run")
    refused(case, case[0], capsys)


# the verbs, each with every flag that names an output
WRITING = {(case[1], *(flag for flag in case[2:] if flag.startswith("--"))): case for case in CASES}


@pytest.mark.parametrize("case", WRITING.values(), ids=" ".join)
def test_a_file_that_is_there_already_is_replaced_only_on_request(case, inputs, capsys):
    if "./network" in case:
        shutil.copytree(Path(pretrained.__file__).parent / "scholar-network", inputs / "network")
    out = Path(f"there-{Path(case[0]).name}")
    out.write_text("precious, and of other content")
    assert refused(case, out, capsys).endswith(
        "exists already; write to another file, or replace it with --overwrite\n"
    )
    arguments = [*case[1].split(), *(out if given == OUT else given for given in case[2:])]
    assert keyseq([*arguments, "--overwrite"]) == 0, capsys.readouterr().err
    assert b"precious" not in out.read_bytes()


@pytest.mark.parametrize(
    ("there", "arguments"),
    [
        ("list.vocabulary", ["vocabulary", "compile", "list.txt"]),
        ("new.tgt", ["data", "convert", "corpus.jsonl", "new.src"]),
        (
            "out/train.jsonl",
            ["data", "stackexchange", "dump", "--sites", "cs", "--out", "out", "--valid", "1", "--test", "1"],
        ),
    ],
)
def test_nor_is_a_file_that_no_flag_names(there, arguments, inputs, capsys):
    site(inputs / "dump", "cs", *(question(number, f"<p>Body {number}</p>") for number in range(9)))
    (inputs / "out").mkdir()
    (inputs / there).write_text("precious")
    assert keyseq(arguments) == 2
    assert capsys.readouterr().err == (
        f"keyseq: {there}: exists already; write to another file, or replace it with --overwrite\n"
    )
    assert (inputs / there).read_text() == "precious"
    assert keyseq([*arguments, "--overwrite"]) == 0, capsys.readouterr().err
    assert (inputs / there).read_bytes() != b"precious"


def test_an_empty_file_a_device_and_a_run_that_goes_on_need_no_flag(inputs):
    (inputs / "empty.csv").touch()
    for out in ("empty.csv", "/dev/null"):
        assert keyseq(["generate", "paper.txt", *TFIDF, "--out", out]) == 0
    for _ in range(2):
        assert keyseq(["generate", "corpus.jsonl", *TFIDF, "--workers", "1", "--out", "parts"]) == 0


def test_an_input_is_overwritten_only_on_request(inputs):
    assert keyseq(["data", "drop", "corpus.jsonl", "--out", "corpus.jsonl", "--overwrite"]) == 0
    assert json.loads((inputs / "corpus.jsonl").read_text().splitlines()[0])["id"]


def test_every_verb_that_writes_is_tested():
    def verbs(command, name=""):
        if hasattr(command, "commands"):
            for word, inner in command.commands.items():
                yield from verbs(inner, f"{name} {word}".strip())
        elif OUTPUTS & {parameter.name for parameter in command.params}:
            yield name

    assert set(verbs(typer.main.get_command(app))) == {case[1] for case in CASES + FOLDERS} | ELSEWHERE


def test_a_report_of_an_experiment_does_not_overwrite_the_corpus(inputs, capsys):
    (inputs / "data" / "test").mkdir(parents=True)
    (inputs / "data" / "test" / "inspec.jsonl").write_text(json.dumps(RECORD) + "\n")
    (inputs / "out").mkdir()
    Path("out/statistics.json").symlink_to("../data/test/inspec.jsonl")
    assert keyseq(["experiment", "statistics", "--data", "data", "--out", "out"]) == 2
    assert "is the same file as data/test/inspec.jsonl, which this command reads" in capsys.readouterr().err
    assert json.loads(Path("data/test/inspec.jsonl").read_text()) == RECORD


@pytest.mark.parametrize("redirected", ["corpus.jsonl - >> corpus.jsonl", "- - < corpus.jsonl >> corpus.jsonl"])
def test_row_3_what_is_printed_is_not_added_to_the_input_without_end(redirected, inputs):
    before = (inputs / "corpus.jsonl").read_bytes()
    command = f"{sys.executable} -m keyseq data convert --from jsonl --to jsonl {redirected}"
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert ran.stderr.endswith("standard output goes to this file, which this command reads; choose another\n")
    assert (inputs / "corpus.jsonl").read_bytes() == before


@pytest.mark.parametrize("library", ["library.bib", "library.ris"])
@pytest.mark.parametrize("kind", ["same path", "symbolic link", "by way of another folder"])
def test_a_library_is_annotated_in_place(library, kind, inputs):
    assert keyseq(["generate", library, *TFIDF, "--out", alias(kind, Path(library))]) == 0
    tagged = (inputs / library).read_text()
    assert "Keep me." in tagged
    assert "social robot" in tagged.split("Keep me.")[1]


def test_standard_input_may_be_a_file_too(inputs):
    command = [sys.executable, "-m", "keyseq", "generate", *TFIDF, "--out", "paper.txt"]
    with Path("paper.txt").open() as file:
        done = subprocess.run(command, stdin=file, capture_output=True, text=True, env=dict(os.environ))
    assert done.returncode == 2
    assert done.stderr == (
        "keyseq: paper.txt: is the same file as standard input, which this command reads; write to another one\n"
    )
    assert (inputs / "paper.txt").read_text() == RECORD["abstract"] + "\n"


def test_a_verb_that_takes_long_refuses_before_the_work(inputs, capsys):
    with (inputs / "corpus.jsonl").open("a") as file:
        file.write("not JSON, which would be told if it were read\n")
    refused(("", "data frequencies", "corpus.jsonl", "--out", OUT), "corpus.jsonl", capsys)
