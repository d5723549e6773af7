"""The table of kinds: every reference in it leads somewhere, and every folder is of the kind that its mark says."""

import dataclasses
import inspect

import pytest
from tests.extractive.invented import documents

from keyseq.errors import KeyseqError
from keyseq.extractive import kea
from keyseq.extractive.textrank import TextRankSettings
from keyseq.extractive.trained import MARK, RankerSettings
from keyseq.runtime.onnx import ENCODER
from keyseq.systems.hub import PRETRAINED
from keyseq.systems.kinds import KINDS, kind_of, recognised
from keyseq.systems.neural import NeuralSettings
from keyseq.systems.registry import SYSTEMS, TRAINABLE, entry_of, kind_named, referred, settings_class


@pytest.fixture(scope="module")
def ranker(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rankers") / "kea"
    kea.train(documents()).save(folder)
    return folder


@pytest.mark.parametrize("name", KINDS)
def test_every_reference_leads_somewhere(name):
    kind = KINDS[name]
    assert len(inspect.signature(referred(kind.load)).parameters) == 2
    for reference in (kind.train, kind.describe, kind.uses, kind.analyzer):
        assert not reference or len(inspect.signature(referred(reference)).parameters) == 1
    assert not kind.network or len(inspect.signature(referred(kind.network)).parameters) == 2
    if kind.settings:
        known = {field.name for field in dataclasses.fields(referred(kind.settings))}
        assert known >= set(kind.measured)
        assert ("decoding" in known) is kind.decodes


@pytest.mark.parametrize("entry", [*SYSTEMS.built_in.values(), *TRAINABLE.values()])
def test_every_system_is_of_a_kind_and_takes_the_settings_it_is_measured_under(entry):
    kind = KINDS[entry.kind]
    settings = referred(kind.settings) if kind.settings else entry.reference("settings")
    assert {field.name for field in dataclasses.fields(settings)} >= set(kind.measured)


def test_marks_are_the_files_that_folders_hold():
    assert (KINDS["network"].mark, KINDS["ranker"].mark) == (ENCODER, MARK)


def test_a_folder_is_recognised_by_its_mark(ranker, tmp_path):
    assert (kind_of(PRETRAINED / "scholar-network"), kind_of(ranker), recognised(tmp_path)) == (
        "network",
        "ranker",
        None,
    )
    with pytest.raises(KeyseqError, match=r"it has none of encoder.onnx \(network\), ranker.toml \(ranker\)"):
        kind_of(tmp_path)


def test_a_folder_is_described_by_what_it_holds(ranker):
    assert entry_of(str(ranker)) == TRAINABLE["kea"]
    assert entry_of(str(PRETRAINED / "scholar-network")).description == KINDS["network"].description
    assert entry_of("scholar-network") is SYSTEMS["scholar-network"]


def test_settings_are_those_of_the_kind_or_of_the_method(ranker):
    assert settings_class(str(PRETRAINED / "scholar-network")) is NeuralSettings
    assert settings_class("scholar-network") is NeuralSettings
    assert settings_class(str(ranker)) is RankerSettings
    assert settings_class("textrank") is TextRankSettings


@pytest.mark.parametrize(
    ("name", "message"),
    [("kea", "kea must be trained"), ("textrang", "unknown system 'textrang'; did you mean 'textrank'")],
)
def test_a_name_that_means_no_system_is_refused(name, message):
    with pytest.raises(KeyseqError, match=message):
        kind_named(name)
