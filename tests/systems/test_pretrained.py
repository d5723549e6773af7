"""The systems of the package: there, small enough, with a card, and giving what a reader would."""

from pathlib import Path

import pytest

import keyseq
from keyseq.runtime.onnx import FILES
from keyseq.systems import DEFAULT, SYSTEMS
from keyseq.systems.combined import KEYPHRASENESS, LABELS, MARK, PROFILES, RANKER, read_settings
from keyseq.systems.hub import CARD, PRETRAINED

NETWORKS = [name for name, entry in SYSTEMS.items() if entry.kind == "network"]
COMBINED = [name for name, entry in SYSTEMS.items() if entry.kind == "combined"]
MEGABYTES = 50  # of all systems of the package together
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", NETWORKS)
def test_every_named_network_is_in_the_package(name):
    assert {path.name for path in (PRETRAINED / name).iterdir()} == {*FILES, CARD}


@pytest.mark.parametrize("name", COMBINED)
def test_every_named_combined_system_is_in_the_package(name):
    parts = {path.name for path in (PRETRAINED / name).iterdir()}
    stored = read_settings(PRETRAINED / name)
    tables = set() if stored.tables else {KEYPHRASENESS, PROFILES, LABELS} if stored.retrieved else {KEYPHRASENESS}
    assert parts == {MARK, RANKER, CARD} | tables


@pytest.mark.parametrize("name", [name for name in COMBINED if read_settings(PRETRAINED / name).language != "en"])
def test_a_system_for_another_language_is_small_and_needs_no_network(name):
    assert sum(path.stat().st_size for path in (PRETRAINED / name).iterdir()) <= 5e6
    assert not read_settings(PRETRAINED / name).network


def test_all_systems_together_are_small():
    sizes = [path.stat().st_size for path in PRETRAINED.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert sum(sizes) <= MEGABYTES * 1e6


def test_every_folder_of_the_package_has_a_name():
    folders = {path.name for path in PRETRAINED.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == {*NETWORKS, *COMBINED, DEFAULT}


def test_without_a_name_the_system_is_chosen_by_the_text():
    assert DEFAULT == "auto"
    assert keyseq.load().name == "auto"


def test_a_reader_of_the_sample_paper_agrees():
    [phrases] = keyseq.load().predict([(EXAMPLES / "paper.txt").read_text()])
    given = {phrase.text.lower() for phrase in phrases}
    assert given & {"social navigation", "delivery robots", "inverse reinforcement learning", "human-robot interaction"}
    assert len(phrases) >= 2
    assert {phrase.evidence.system for phrase in phrases if phrase.evidence} == {"scholar"}


def test_other_settings_share_the_network_of_a_name():
    system = keyseq.load("scholar-network", decoding="beam", top=3)
    assert all(len(phrases) <= 3 for phrases in system.predict(["Deep learning of protein structures."]))


@pytest.mark.parametrize("name", ["questions", "questions-network", None])
def test_a_question_gets_tags(name):
    question = "Why does my sourdough bread not rise? I fed the starter twice a day, and the dough stays flat."
    [tags] = keyseq.load(name).predict([question])
    assert {tag.text.lower() for tag in tags} & {"bread", "baking", "sourdough", "dough", "yeast", "starter"}
