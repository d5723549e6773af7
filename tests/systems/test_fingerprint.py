"""By what it is told whether stored predictions are still a system's own."""

import json
import shutil
from dataclasses import replace

import pytest

import keyseq
from keyseq.files import sha256
from keyseq.systems.fingerprint import fingerprint
from keyseq.systems.hub import PRETRAINED
from keyseq.systems.kinds import KINDS
from keyseq.systems.registry import SYSTEMS
from keyseq.vocabularies.building import vocabulary_of_labels

TEXT = (
    "Human-robot interaction in care homes\n\nRobots that deliver meals in care homes are trusted by older people when "
    "they keep their distance. We study trust in delivery robots with a field experiment, and propose a model of "
    "personal space for human-robot interaction."
)

# What today's revisions give first. Whoever changes it raises the kind's revision in `KINDS`, so that nobody goes on
# with predictions that were stored before.
GIVEN = {
    "network": (1, "scholar-network", ["Human-robot interaction", "care homes", "trust"]),
    "method": (1, "textrank", ["human-robot interaction", "care homes", "delivery robots", "Robots", "personal space"]),
    "combined": (3, "scholar", ["human-robot interaction", "care homes", "trust"]),
}


@pytest.mark.parametrize("kind", GIVEN)
def test_who_changes_what_is_given_raises_the_revision(kind):
    revision, name, first = GIVEN[kind]
    [phrases] = keyseq.load(name).predict([TEXT])
    assert KINDS[kind].revision == revision
    assert [phrase.text for phrase in phrases][: len(first)] == first


def test_a_folder_counts_with_its_content_wherever_it_is(tmp_path):
    first, second = (
        str(shutil.copytree(PRETRAINED / "scholar-network", tmp_path / name)) for name in ("first", "second")
    )
    assert fingerprint(first, {}) == fingerprint(second, {}) == fingerprint("scholar-network", {})
    (tmp_path / "second" / "settings.toml").open("a").write("\n")
    assert fingerprint(second, {}) != fingerprint(first, {})


@pytest.mark.parametrize(
    ("name", "kind"), [("scholar", "network"), ("auto", "network"), ("auto", "combined"), ("news", "combined")]
)
def test_the_systems_that_it_uses_count_too(name, kind, monkeypatch):
    before = fingerprint(name, {})
    monkeypatch.setitem(KINDS, kind, replace(KINDS[kind], revision=99))
    assert fingerprint(name, {}) != before


def test_the_files_of_the_default_system_count():
    before = fingerprint(None, {})
    assert before["sha256"] == sha256(PRETRAINED / "auto")
    assert [used["kind"] for used in before["uses"]] == ["combined"] * len(SYSTEMS["auto"].uses)


def test_a_method_counts_with_its_name_and_revision(monkeypatch):
    before = fingerprint("tfidf", {"top": 5})
    assert before != fingerprint("textrank", {"top": 5})
    assert before != fingerprint("tfidf", {"top": 6})
    monkeypatch.setitem(KINDS, "method", replace(KINDS["method"], revision=99))
    assert fingerprint("tfidf", {"top": 5}) == before | {"revision": 99}


def test_a_file_that_a_setting_names_counts_with_its_content(tmp_path):
    first, second = tmp_path / "first.gz", tmp_path / "second.gz"
    first.write_text("one")
    second.write_text("one")
    before = fingerprint("tfidf", {"frequencies": first})
    assert fingerprint("tfidf", {"frequencies": second}) == before
    first.write_text("two")
    assert fingerprint("tfidf", {"frequencies": first}) != before


def test_a_vocabulary_counts_with_its_concepts_whatever_it_is_called():
    first, second = (vocabulary_of_labels(labels, "list") for labels in (["cats"], ["cats", "dogs"]))
    before = fingerprint("scholar", {"vocabulary": first})
    assert fingerprint("scholar", {"vocabulary": vocabulary_of_labels(["cats"], "another name")}) == before
    assert fingerprint("scholar", {"vocabulary": second}) != before
    json.dumps(before)
