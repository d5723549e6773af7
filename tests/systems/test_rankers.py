"""`keyseq train kea` and `maui`: from the command line to phrases and scores, and mistakes."""

import json
import subprocess
import sys

import pytest
from tests.extractive.invented import documents
from typer.testing import CliRunner

from keyseq.cli import app
from keyseq.data.formats import write_documents
from keyseq.errors import KeyseqError
from keyseq.serving.loaded_systems import LoadedSystems
from keyseq.types import Document

KEYSEQ = [sys.executable, "-m", "keyseq"]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora")
    every = list(documents())
    write_documents(every[:36], folder / "train.jsonl")
    write_documents(every[36:], folder / "valid.jsonl")
    (folder / "terms.tsv").write_text("rubber clocks\ncraft\nwarm weather\tweather\ncopper lamps\n")
    return folder


def trained(system, corpora, out, *more):
    command = ["train", system, "--train", str(corpora / "train.jsonl"), "--out", str(out), *more]
    done = CliRunner().invoke(app, command)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.mark.parametrize("system", ["kea", "maui"])
def test_from_training_to_scores(system, corpora, tmp_path):
    valid, folder, said = corpora / "valid.jsonl", tmp_path / "deep" / system, tmp_path / "said.jsonl"
    done = trained(system, corpora, folder, "--valid", str(valid), "--json")
    outcome = json.loads(done.stdout)
    assert (outcome["system"], outcome["documents"], outcome["out"]) == (system, 36, str(folder))
    assert f"{system} was trained on 36 documents" in done.stderr
    generate = ["generate", str(valid), "--system", str(folder), "--top", "50", "--out", str(said)]
    assert CliRunner().invoke(app, generate).exit_code == 0
    metrics = ",".join(outcome["valid"])
    told = CliRunner().invoke(app, ["evaluate", str(valid), str(said), "--metrics", metrics, "--format", "json"]).stdout
    values = {row["metric"]: row["score"] for row in json.loads(told)}
    assert values == pytest.approx(outcome["valid"])
    assert values["present.f1@o"] == 1.0  # each has one present phrase, which comes first


def test_torch_is_not_imported(corpora, tmp_path):
    program = (
        "import sys; from typer.testing import CliRunner; from keyseq.cli import app; "
        f"CliRunner().invoke(app, ['train', 'kea', '--train', {str(corpora / 'train.jsonl')!r}, "
        f"'--out', {str(tmp_path / 'kea')!r}]); print('torch' in sys.modules, 'sklearn' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False False\n", done.stderr
    assert (tmp_path / "kea").is_dir()


def test_a_vocabulary_decides_what_can_be_said(corpora, tmp_path):
    trained("maui", corpora, tmp_path / "maui", "--vocabulary", str(corpora / "terms.tsv"))
    said = CliRunner().invoke(app, ["generate", str(corpora / "valid.jsonl"), "-s", str(tmp_path / "maui"), "--json"])
    lines = [json.loads(line) for line in said.stdout.splitlines()]
    assert {phrase["text"] for line in lines for phrase in line["keyphrases"]} == {"rubber clocks", "warm weather"}


def test_settings_are_changed_by_section_and_kept(corpora, tmp_path):
    trained("kea", corpora, tmp_path / "kea", "--set", "kea.candidates=ngrams", "--set", "kea.max_words=2")
    kept = (tmp_path / "kea" / "ranker.toml").read_text()
    assert 'candidates = "ngrams"' in kept
    assert "max_words = 2 " in kept


def test_a_server_has_it_by_the_name_of_its_folder(corpora, tmp_path):
    trained("kea", corpora, tmp_path / "mine")
    [entry] = LoadedSystems([str(tmp_path / "mine")]).entries()
    assert (entry.name, entry.absent, "network" in entry.description) == ("mine", False, False)


@pytest.mark.parametrize(
    ("system", "more", "message"),
    [
        ("kea", ["--set", "kea.sampel=3"], "unknown setting 'kea.sampel'; did you mean 'sample'?"),
        ("kea", ["--set", "kea.sample=many"], "kea.sample must be a whole number, not 'many'"),
        ("kea", ["--set", "maui.trees=3"], "unknown section of settings 'maui'; the only one is kea"),
        ("kea", ["--set", "kea.top=0"], "kea.top must be at least 1, not 0"),
        ("maui", ["--set", "maui.share=1.5"], "maui.share must be at most 1, not 1.5"),
        ("kea", ["--vocabulary", "terms.tsv"], "--vocabulary is for maui, not for kea; leave it out"),
        ("maui", ["--vectors", "vectors.txt"], "--vectors is for networks, not for maui; leave it out"),
        ("maui", ["--from", "scholar"], "--from is for networks, not for maui; leave it out"),
        ("catseq", [], "training a network needs --valid FILE, which selects the best checkpoint"),
        ("catseq", ["--vocabulary", "x"], "--vocabulary is for maui, not for catseq; leave it out"),
    ],
)
def test_a_mistake_is_one_sentence(system, more, message, corpora, tmp_path):
    with pytest.raises(KeyseqError) as error:
        trained(system, corpora, tmp_path / "out", *more)
    assert str(error.value) == message
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_there_is_told_before_the_work(corpora, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = subprocess.run(
        [*KEYSEQ, "train", "kea", "--train", str(corpora / "train.jsonl"), "--out", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"keyseq: {tmp_path}: already exists; choose a new folder\n"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_document_without_keyphrases_is_told_with_its_file_and_nothing_is_written(tmp_path):
    write_documents([Document(id="a", body="cats")], tmp_path / "bare.jsonl")
    with pytest.raises(KeyseqError, match=r"bare.jsonl: document 'a' has no keyphrases to learn from"):
        CliRunner().invoke(
            app,
            ["train", "kea", "--train", str(tmp_path / "bare.jsonl"), "--out", str(tmp_path / "kea")],
            catch_exceptions=False,
        )
    assert [path.name for path in tmp_path.iterdir()] == ["bare.jsonl"]


def test_bad_records_are_passed_over_if_asked(corpora, tmp_path):
    with (tmp_path / "bad.jsonl").open("w") as file:
        file.write((corpora / "train.jsonl").read_text() + "{no json\n")
    command = ["train", "kea", "--train", str(tmp_path / "bad.jsonl"), "--out", str(tmp_path / "kea"), "--skip-bad"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 1
    assert "skipped 1 record that cannot be read" in done.stderr
    assert (tmp_path / "kea").is_dir()
