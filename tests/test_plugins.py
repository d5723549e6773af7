"""Systems, metrics, datasets and formats of other packages: installed by pip, used on the command line."""

import json
import os
import subprocess
import sys

import pytest

from keyseq.plugins import Table

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "keyseq-shout"
version = "1.2"

[project.entry-points."keyseq.systems"]
shout = "keyseq_shout:SHOUT"
broken = "keyseq_shout.missing:ENTRY"
textrank = "keyseq_shout:SHOUT"

[project.entry-points."keyseq.metrics"]
silence = "keyseq_shout:SILENCE"
wrong = "keyseq_shout:NUMBER"

[project.entry-points."keyseq.datasets"]
shouts = "keyseq_shout:SHOUTS"

[project.entry-points."keyseq.formats"]
shouted = "keyseq_shout:SHOUTED"
"""

MODULE = '''
from dataclasses import dataclass

from keyseq.data.catalogue import Dataset
from keyseq.data.formats import Format
from keyseq.evaluation.metrics import Metric
from keyseq.systems import Entry
from keyseq.types import Document, Phrase, as_documents


@dataclass(frozen=True, kw_only=True)
class ShoutSettings:
    top: int = 3


class Shout:
    name = "shout"

    def __init__(self, settings):
        self.settings = settings

    def predict(self, documents):
        return [self._loudest(document.text) for document in as_documents(documents)]

    def _loudest(self, text):
        loud = [word for word in text.split() if word.isupper()][: self.settings.top]
        return [Phrase(text=word, score=1.0, present=True) for word in loud]


def silence(ranking):
    """1 where nothing was predicted."""
    return (ranking.part.predicted == 0).astype(float)


def read(source):
    for number, line in source.lines():
        yield Document(id=str(number), body=line.decode().strip().upper(), keyphrases=("ROBOTS",))


SHOUT = Entry(
    description="the words in capitals", absent=False, module="keyseq_shout", system="Shout", settings="ShoutSettings"
)
SILENCE = Metric(silence, parts=("predictions",), everywhere=True)
NUMBER = 3
SHOUTS = Dataset(title="Shouts", about="invented", home="https://example.org", how_to_get="shout", aliases=("loud",))
SHOUTED = Format(read=read, suffixes=(".shout",))
'''


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The environment of a process that has the package, which pip has built and installed without a network."""
    project, target = tmp_path_factory.mktemp("keyseq-shout"), tmp_path_factory.mktemp("site")
    (project / "pyproject.toml").write_text(PROJECT)
    (project / "keyseq_shout").mkdir()
    (project / "keyseq_shout" / "__init__.py").write_text(MODULE)
    pip = [sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([*pip, "--disable-pip-version-check", "--target", str(target), str(project)], check=True)
    return os.environ | {"PYTHONPATH": str(target)}


def keyseq(installed, *arguments, folder):
    done = subprocess.run(
        [sys.executable, "-m", "keyseq", *arguments], env=installed, cwd=folder, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "shouts.shout").write_text("robots here\nand there\n")
    return tmp_path


def test_a_system_and_a_format_of_a_package_are_used_by_name_and_suffix(installed, corpus):
    command = ["generate", "test/shouts.shout", "--system", "shout", "--top", "1", "--json"]
    done = keyseq(installed, *command, folder=corpus)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [[phrase["text"] for phrase in line["keyphrases"]] for line in lines] == [["ROBOTS"], ["AND"]]


def test_a_metric_and_a_dataset_of_a_package_are_used_by_name_and_alias(installed, corpus):
    (corpus / "predictions.txt").write_text("robots\n\n")
    command = ["evaluate", "loud", "predictions.txt", "--data", ".", "--metrics", "predictions.silence", "--json"]
    [row] = json.loads(keyseq(installed, *command, folder=corpus).stdout)
    assert (row["metric"], row["score"]) == ("predictions.silence", 0.5)
    listed = json.loads(keyseq(installed, "data", "list", "--data", ".", "--json", folder=corpus).stdout)
    assert [one["found"] for one in listed if one["name"] == "shouts"] == [["test"]]
    assert "1 where nothing was predicted" in keyseq(installed, "evaluate", "--explain", folder=corpus).stdout


def test_a_broken_plug_in_is_told_in_a_sentence_and_spoils_nothing_else(installed, corpus):
    listed = keyseq(installed, "systems", "--json", folder=corpus)
    rows = {row["name"]: row for row in json.loads(listed.stdout)}
    assert rows["shout"]["package"] == "keyseq-shout 1.2"
    assert "broken" not in rows
    told = (
        "plug-in 'broken' of keyseq-shout 1.2 (keyseq.systems) cannot be loaded (ModuleNotFoundError: No module named "
        "'keyseq_shout.missing'); update or uninstall it\n"
    )
    assert listed.stderr == told
    done = keyseq(installed, "generate", "test/shouts.shout", "--system", "broken", folder=corpus)
    assert (done.returncode, done.stderr) == (2, f"keyseq: {told}")


def test_something_else_than_the_group_holds_is_told_in_a_sentence(installed, corpus):
    command = ["evaluate", "test/shouts.shout", "test/shouts.shout", "--metrics", "present.wrong"]
    done = keyseq(installed, *command, folder=corpus)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "keyseq: plug-in 'wrong' of keyseq-shout 1.2 (keyseq.metrics): keyseq_shout:NUMBER is of type int, and must be "
        "a keyseq.evaluation.metrics.Metric\n"
    )


def test_a_built_in_name_cannot_be_taken(installed, corpus):
    (corpus / "a.txt").write_text("Robots deliver parcels.")
    theirs, ours = (
        keyseq(environment, "generate", "a.txt", "-s", "textrank", folder=corpus)
        for environment in (installed, os.environ)
    )
    assert theirs.stdout == ours.stdout != ""


def test_stored_predictions_of_a_plug_in_follow_the_version_of_its_package(installed):
    program = "from keyseq.systems.fingerprint import fingerprint; print(fingerprint('shout', {})['package'])"
    done = subprocess.run([sys.executable, "-c", program], env=installed, capture_output=True, text=True, check=True)
    assert done.stdout == "keyseq-shout 1.2\n"


@pytest.mark.parametrize("system", ["textrank", "scholar-network"])
def test_plug_ins_are_not_looked_for_where_the_name_is_built_in(system, installed, corpus):
    (corpus / "a.txt").write_text("Robots deliver parcels.")
    program = (
        "import sys, importlib.metadata as metadata\n"
        "def refuse(*_, **__): raise SystemExit('looked for entry points')\n"
        "metadata.entry_points = refuse\n"
        "from keyseq.cli import main\n"
        f"sys.argv = ['keyseq', 'generate', 'a.txt', '--system', {system!r}]\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", program], env=installed, cwd=corpus, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_table_without_plug_ins_is_a_mapping():
    table = Table("keyseq.nothing", int, {"a": 1})
    assert (dict(table), table.working(), len(table), "b" in table, table.origin("a")) == (
        {"a": 1},
        {"a": 1},
        1,
        False,
        None,
    )
    with pytest.raises(KeyError):
        table["b"]
