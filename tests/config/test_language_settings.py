"""The language of texts as settings: it decides on the parts, which are stored by their names."""

import tomllib

import pytest

from keyseq.config import Settings, TargetSettings, load_settings
from keyseq.errors import KeyseqError
from keyseq.text.analyzer import ENGLISH, Analyzer

PARTS = ("language", "tokenizer", "stemmer", "stop_words")


def test_settings_written_before_there_were_languages_are_english():
    old = tomllib.loads('[target]\ntokenizer = "unicode"\n')
    assert Analyzer.of(Settings.from_mapping(old).target) == ENGLISH.with_tokenizer("unicode")
    assert Analyzer.of(TargetSettings()) == ENGLISH


def test_a_language_decides_on_its_parts_which_are_stored_by_name():
    settings = load_settings("catseq", ["target.language=de"])
    stored = tomllib.loads(settings.to_toml())["target"]
    assert [stored[part] for part in PARTS] == ["de", "unicode", "snowball-german", "stopwordsiso"]
    assert Settings.from_mapping(tomllib.loads(settings.to_toml())) == settings


def test_a_part_that_is_set_wins_over_that_of_the_language():
    target = load_settings("catseq", ["target.language=de", "target.stemmer=none"]).target
    assert (target.tokenizer, target.stemmer) == ("unicode", "none")


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("target.language=xx", r"unknown language 'xx'; choose one of en \(English\), "),
        ("target.stemmer=lovins", "unknown stemmer 'lovins'; choose one of nltk-porter, "),
        ("target.tokenizer=moses", "unknown tokenizer 'moses'; choose one of meng17, unicode"),
        ("target.stop_words=mine", "unknown stop words 'mine'; choose one of keyseq, stopwordsiso"),
    ],
)
def test_what_there_is_not_is_told_with_the_list_of_the_known(override, message):
    with pytest.raises(KeyseqError, match=message):
        load_settings("catseq", [override])
