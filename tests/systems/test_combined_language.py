"""Combined systems in a language without a tagger: trained, stored and asked in that language."""

import random

import pytest
from typer.testing import CliRunner

import keyseq
from keyseq.cli import app
from keyseq.data.formats import write_documents
from keyseq.errors import KeyseqError
from keyseq.systems.combined import read_analyzer
from keyseq.systems.registry import analyzer_of
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.types import Document

# subject, the same as a text has it, and a tag that no text has
SUBJECTS = [
    ("iso talo", "ison talon", "arkkitehtuuri"),
    ("laulut", "laulun", "musiikkitiede"),
    ("vesilintu", "vesilintujen", "lintutiede"),
    ("kirjastot", "kirjaston", "informaatioala"),
]
FILLERS = ["siitä puhutaan usein", "kukaan ei tiedä miksi", "niitä on ollut monta", "se nähtiin taas"]


def documents(count=200, seed=3):
    draw = random.Random(seed)
    for number in range(count):
        given, inflected, tag = draw.choice(SUBJECTS)
        before, after = draw.choices(FILLERS, k=2)
        body = f"Mitä {inflected} historia on, {before}. Onko {inflected} kanssa jotain, {after}?"
        yield Document(id=str(number), title=f"Mikä on {inflected} tausta?", body=body, keyphrases=(given, tag))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("language")
    write_documents(documents(), place / "train.jsonl")
    command = ["train", "combined", "--train", str(place / "train.jsonl"), "--language", "fi"]
    fast = ["--set", "combined.trees=20", "--set", "combined.leaf=5", "--set", "combined.held_out=0.4"]
    done = CliRunner().invoke(app, [*command, *fast, "--out", str(place / "mine")])
    assert done.exit_code == 0, done.output
    return place / "mine"


@pytest.fixture(scope="module")
def system(folder):
    return keyseq.load(str(folder))


def test_the_language_and_its_components_are_stored(folder, system):
    assert read_analyzer(folder) == analyzer_of(str(folder)) == system.analyzer == Analyzer.for_language("fi")
    assert 'stemmer = "snowball-finnish"' in (folder / "combined.toml").read_text()


def test_systems_that_do_not_say_are_english():
    assert analyzer_of() == analyzer_of("scholar") == analyzer_of("textrank") == ENGLISH


def test_phrases_of_several_words_and_absent_ones_are_found(system):
    [found] = system.predict(["Mikä ison talon hinta on?\nMitä ison talon historia on?"])
    present = {phrase.text: phrase.present for phrase in found}
    assert present["iso talo"] is True
    assert present["arkkitehtuuri"] is False


def test_a_known_keyphrase_is_written_as_people_gave_it_and_marked_where_the_text_inflects_it(system):
    text = "Mikä ison talon hinta on?\nMitä ison talon historia on?"
    [found] = system.predict([text])
    [phrase] = [phrase for phrase in found if phrase.text == "iso talo"]
    assert {text[start:end] for start, end in phrase.spans} == {"ison talon"}


def test_no_stop_word_of_the_language_is_given(system):
    [found] = system.with_settings(top=50).predict(["Mitä se on? Onko siitä ollut jotain, miksi? Vesilintujen kanssa."])
    stops = Analyzer.for_language("fi").stop_words
    assert found
    assert not [phrase.text for phrase in found if phrase.text.lower() in stops]


def test_concepts_are_found_by_labels_in_the_language(system, tmp_path):
    (tmp_path / "terms.tsv").write_text("uri\tlabel_fi\tlabel_en\nex:1\tvesilintu\twater birds\n", encoding="utf-8")
    [found] = system.with_settings(vocabulary=str(tmp_path / "terms.tsv")).predict(
        ["Mikä on vesilintujen tausta?\nMitä vesilintujen historia on? Onko vesilintujen kanssa jotain?"]
    )
    assert [(phrase.text, phrase.uri) for phrase in found] == [("vesilintu", "ex:1")]


def test_a_vocabulary_without_labels_in_the_language_is_refused_before_there_is_a_text(system, tmp_path):
    (tmp_path / "terms.tsv").write_text("uri\tlabel_en\nex:1\twater birds\n", encoding="utf-8")
    with pytest.raises(KeyseqError, match="none of its labels is in Finnish"):
        system.with_settings(vocabulary=str(tmp_path / "terms.tsv"))


def test_a_vocabulary_in_the_language_of_the_system_gets_no_note_that_it_is_not_english(folder, tmp_path):
    labels = [f"{given}\n{tag}\n" for given, _, tag in SUBJECTS] * 4
    (tmp_path / "terms.txt").write_text("".join(labels), encoding="utf-8")
    (tmp_path / "text.txt").write_text("Mikä on vesilintujen tausta? " * 10, encoding="utf-8")
    asked = ["generate", str(tmp_path / "text.txt"), "--vocabulary", str(tmp_path / "terms.txt")]
    done = CliRunner().invoke(app, [*asked, "--system", str(folder)])
    assert done.exit_code == 0, done.output
    assert "English" not in done.stderr
    assert "English" in CliRunner().invoke(app, asked).stderr


def test_an_unknown_language_is_refused_with_those_that_are_known(tmp_path):
    write_documents(documents(20), tmp_path / "train.jsonl")
    done = CliRunner().invoke(
        app, ["train", "combined", "--train", str(tmp_path / "train.jsonl"), "--language", "xx", "--out", "mine"]
    )
    assert done.exit_code != 0
    assert "unknown language 'xx'; choose one of en (English)" in str(done.exception or done.stderr)
