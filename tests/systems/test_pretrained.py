"""The networks of the package: there, small enough, with a card, and saying what a reader would."""

from pathlib import Path

import pytest

import keyseq
from keyseq.runtime.onnx import FILES
from keyseq.systems import DEFAULT, SYSTEMS
from keyseq.systems.hub import PRETRAINED

NETWORKS = [name for name, entry in SYSTEMS.items() if entry.kind == "network"]
MEGABYTES = {"scholar": 40, "questions": 25}
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", NETWORKS)
def test_every_named_network_is_in_the_package_and_small(name):
    files = {path.name: path.stat().st_size for path in (PRETRAINED / name).iterdir()}
    assert files.keys() == {*FILES, "README.md"}
    assert sum(files.values()) < MEGABYTES[name] * 1e6


def test_every_folder_of_networks_has_a_name():
    assert {path.name for path in PRETRAINED.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(NETWORKS)


def test_without_a_name_the_network_for_scholarly_texts_is_loaded():
    assert DEFAULT == "scholar"
    assert keyseq.load().name == "scholar"


def test_a_reader_of_the_sample_paper_agrees():
    [phrases] = keyseq.load().predict([(EXAMPLES / "paper.txt").read_text()])
    said = {phrase.text.lower() for phrase in phrases}
    assert said & {"social navigation", "delivery robots", "inverse reinforcement learning", "human-robot interaction"}
    assert len(phrases) >= 2


def test_other_settings_share_the_network_of_a_name():
    system = keyseq.load("scholar", decoding="beam", top=3)
    assert all(len(phrases) <= 3 for phrases in system.predict(["Deep learning of protein structures."]))


def test_a_question_gets_tags():
    question = "Why does my sourdough bread not rise? I fed the starter twice a day, and the dough stays flat."
    [tags] = keyseq.load("questions").predict([question])
    assert {tag.text.lower() for tag in tags} & {"bread", "baking", "sourdough", "dough", "yeast", "starter"}
