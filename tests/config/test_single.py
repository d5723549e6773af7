"""Settings of one section: overrides by their type, and mistakes told with the nearest name."""

import tomllib
from dataclasses import asdict

import pytest

from keyseq.config.single import build, overridden, to_toml
from keyseq.errors import KeyseqError
from keyseq.extractive.kea import KeaSettings


def test_overrides_are_read_by_the_type_of_their_setting():
    settings = overridden("kea", KeaSettings, ["kea.top = 3", "kea.candidates=ngrams"])
    assert settings == KeaSettings(top=3, candidates="ngrams")


def test_toml_gives_the_same_settings_again():
    settings = KeaSettings(top=3, parts="kept")
    text = to_toml("kea", settings)
    assert "top = 3  # maximum number of phrases per document\n" in text
    assert tomllib.loads(text) == {"kea": asdict(settings)}
    assert build("kea", KeaSettings, tomllib.loads(text)["kea"]) == settings


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("kea.topp=3", "unknown setting 'kea.topp'; did you mean 'top'?"),
        ("kea.top", "'kea.top' is not a setting; use section.key=value, such as kea.language=en"),
        ("maui.top=3", "unknown section of settings 'maui'; the only one is kea"),
        ("kea.top=three", "kea.top must be a whole number, not 'three'"),
        ("kea.parts=some", "kea.parts must be one of kept, removed, not 'some'"),
    ],
)
def test_a_mistake_is_told(override, message):
    with pytest.raises(KeyseqError) as error:
        overridden("kea", KeaSettings, [override])
    assert str(error.value) == message
