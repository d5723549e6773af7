"""`keyseq systems`, and systems by name."""

import json

import pytest
from typer.testing import CliRunner

import keyseq
from keyseq.cli import app
from keyseq.errors import KeyseqError
from keyseq.systems.registry import DEFAULT, SYSTEMS, TRAINABLE


def test_every_system_is_listed_and_loads_under_its_name():
    listed = json.loads(CliRunner().invoke(app, ["systems", "--json"]).output)
    assert [row["name"] for row in listed] == [*SYSTEMS, *TRAINABLE]
    assert [row["name"] for row in listed if row["default"]] == [DEFAULT]
    assert [row["name"] for row in listed if row["trainable"]] == list(TRAINABLE)
    for name in (row["name"] for row in listed if not row["trainable"] and not row["package"]):
        assert keyseq.load(name).name == name
        assert isinstance(keyseq.load(name), keyseq.System)


def test_the_table_tells_what_each_system_is():
    output = CliRunner().invoke(app, ["systems"]).output
    assert f"{DEFAULT} (default)" in output
    assert all(entry.description in output for entry in [*SYSTEMS.values(), *TRAINABLE.values()])
    assert "kea (train it)" in output


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("tfdif", {}, "did you mean 'tfidf'"),
        ("textrank", {"tops": 3}, "no setting 'tops'; did you mean 'top'"),
        ("kea", {}, r"kea must be trained first \(keyseq train kea --help\); then use its folder"),
    ],
)
def test_an_unknown_name_or_setting_is_refused_with_the_nearest(name, settings, message):
    with pytest.raises(KeyseqError, match=message):
        keyseq.load(name, **settings)
