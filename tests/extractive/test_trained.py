"""The folder of a trained ranker: whole, or told in one sentence why not."""

import shutil
import tomllib

import numpy as np
import pytest
import safetensors.numpy
from tests.extractive.invented import documents

import keyseq
from keyseq.errors import KeyseqError
from keyseq.extractive import kea, maui
from keyseq.extractive.trained import ARRAYS, FREQUENCIES, KEYPHRASES, MARK
from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.types import Document

GERMAN = [
    Document(
        id=str(number),
        title=f"{kind} Netze",
        body=f"Ein {kind.lower()}s Netz wird hier beschrieben, weil die Netze für {field} wichtig sind.",
        keyphrases=(f"{kind} Netze", field),
    )
    for number, (kind, field) in enumerate(
        [("Neuronale", "Bilder"), ("Soziale", "Parteien"), ("Elektrische", "Städte"), ("Semantische", "Texte")] * 3
    )
]
SCALARS = ["prior", "cuts.0", "cuts.1", "likelihoods.0", "likelihoods.1", "roots", "feature", "threshold", "below"]
SCALARS += ["above", "chance"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rankers")
    kea.train(documents()).save(folder / "kea")
    maui.train(documents(), maui.MauiSettings(trees=2)).save(folder / "maui")
    return folder


@pytest.fixture(params=["kea", "maui"])
def folder(request, folders, tmp_path):
    return shutil.copytree(folders / request.param, tmp_path / request.param)


def refusal(folder):
    with pytest.raises(KeyseqError) as error:
        keyseq.load(str(folder))
    message = str(error.value)
    assert "\n" not in message
    return message


def test_a_folder_holds_settings_that_people_can_read(folder):
    text = (folder / MARK).read_text()
    assert text.startswith(f"[{folder.name}]\n")
    assert 'candidates = "noun-phrases"  # candidates: noun phrases, runs' in text


@pytest.mark.parametrize(
    ("file", "content", "told"),
    [
        (MARK, b"kea = [", "not the settings of a ranker"),
        (MARK, b"[model]\nhidden_size = 3\n", "holds [model], not the settings of one of kea, maui"),
        (MARK, b"", "holds nothing"),
        (MARK, b"\xff", "not the settings of a ranker"),
        (ARRAYS, b"no arrays", "missing, damaged or of another ranker"),
        (ARRAYS, safetensors.numpy.save({"prior": np.ones(2)}), "missing, damaged or of another ranker"),
        (
            ARRAYS,
            safetensors.numpy.save(dict.fromkeys(SCALARS, np.array(1.0))),
            "missing, damaged or of another ranker",
        ),
        (FREQUENCIES, b"nothing", "damaged"),
    ],
)
def test_a_damaged_file_is_told_with_its_place(folder, file, content, told):
    (folder / file).write_bytes(content)
    message = refusal(folder)
    assert message.startswith(str(folder / file))
    assert told in message


@pytest.mark.parametrize("file", [ARRAYS, FREQUENCIES])
def test_a_missing_file_is_told(folder, file):
    (folder / file).unlink()
    assert refusal(folder).startswith(str(folder / file))


def test_a_missing_table_of_keyphrases_is_told(folders, tmp_path):
    folder = shutil.copytree(folders / "maui", tmp_path / "maui")
    (folder / KEYPHRASES).unlink()
    assert refusal(folder) == f"{folder / KEYPHRASES}: no such file"


def test_a_setting_that_is_not_known_is_told_with_the_nearest(folder):
    name = folder.name
    (folder / MARK).write_text(f"[{name}]\nsamples = 3\n")
    assert refusal(folder) == f"{folder / MARK}: unknown setting '{name}.samples'; did you mean 'sample'?"


def test_arrays_of_the_other_ranker_are_refused(folders, tmp_path):
    folder = shutil.copytree(folders / "kea", tmp_path / "kea")
    shutil.copyfile(folders / "maui" / ARRAYS, folder / ARRAYS)
    assert "of another ranker" in refusal(folder)


def test_a_folder_that_is_there_is_not_written_over(folders):
    with pytest.raises(KeyseqError, match="already exists; choose a new folder"):
        kea.train(documents()).save(folders / "kea")


def test_settings_of_training_cannot_be_changed_afterwards(folders):
    with pytest.raises(KeyseqError, match="has no setting 'candidates'; systems with it: tfidf"):
        keyseq.load(str(folders / "kea"), candidates="ngrams")
    with pytest.raises(KeyseqError, match="top must be at least 1, not 0"):
        keyseq.load(str(folders / "kea"), top=0)


def test_the_analyzer_is_stored_by_its_parts_and_stems_what_is_read_later(tmp_path):
    settings = kea.KeaSettings(language="de")
    kea.train(GERMAN, settings).save(tmp_path / "german")
    stored = tomllib.loads((tmp_path / "german" / MARK).read_text())["kea"]
    assert [stored[part] for part in ("language", "tokenizer", "stemmer", "stop_words")] == [
        "de",
        "unicode",
        "snowball-german",
        "stopwordsiso",
    ]
    loaded = kea.Kea.load(tmp_path / "german")
    assert loaded.analyzer == Analyzer.for_language("de")
    assert loaded.frequencies.df(("netz",)) == len(GERMAN)  # Netze and Netz are one word
    [phrases] = loaded.predict(["Neuronale Netze. Ein neuronales Netz lernt, weil die Netze tief sind."])
    assert not {phrase.text.lower() for phrase in phrases} & loaded.analyzer.stop_words


def test_a_folder_that_was_written_before_there_were_languages_is_english(folder):
    mark = folder / MARK
    parts = ("language", "tokenizer", "stemmer", "stop_words")
    lines = [line for line in mark.read_text().splitlines(keepends=True) if not line.startswith(parts)]
    mark.write_text("".join(lines))
    document = next(documents())
    before = keyseq.load(str(folder)).predict([document])
    assert keyseq.load(str(folder)).analyzer == ENGLISH
    assert [phrase.text for phrase in before[0]]
