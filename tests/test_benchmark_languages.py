"""The ranker for all languages is made from corpora in several, and measured beside others on one that it never saw."""

import json
import random

import pytest
from benchmarks import languages, shipped_languages
from benchmarks.languages import DEFAULT, METRIC, RANKERS, LanguagePart, answered, section, summary, verdict
from benchmarks.shipped_languages import Part, train_multilingual

import keyseq
from keyseq.adapting.rankings import Answer
from keyseq.ranking.boosting import BoostingSettings
from keyseq.systems.combined import read_settings
from keyseq.types import Document, Phrase

WORDS = {
    "fr": ("le chat mange dans la maison avec un ami", "est très grande pour nous", "Réseau Urbain"),
    "ru": ("кот спит на большом столе у окна", "был очень важен для нас", "Речной Завод"),
    "es": ("el gato come en la casa con un amigo", "es muy grande para nosotros", "Red Urbana"),
}


def corpus(language, path, count, seed):
    """Texts that speak twice of something with capitals, which is their keyphrase."""
    chance, (common, rest, name) = random.Random(seed), WORDS[language]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            phrase = f"{name} {chance.choice('ABCDEFGH') * 3}"
            words = common.split()
            chance.shuffle(words)
            text = f"{' '.join(words)} {phrase} {rest}. {' '.join(reversed(words))}; {phrase} {rest}."
            row = {"id": str(number), "title": phrase, "abstract": text, "keywords": [phrase]}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for seed, language in enumerate(("fr", "ru")):
        corpus(language, folder / "languages" / language / "train.jsonl", 20, seed)
    corpus("es", folder / "languages" / "es" / "small.jsonl", 6, 9)
    return folder


@pytest.fixture(scope="module")
def ranker(data, tmp_path_factory):
    out = tmp_path_factory.mktemp("made") / "multilingual"
    with pytest.MonkeyPatch.context() as patch:
        parts = tuple(Part(language, f"languages/{language}/train", 20) for language in ("fr", "ru"))
        patch.setattr(shipped_languages, "PARTS", parts)
        patch.setattr(shipped_languages, "SETTINGS", BoostingSettings(trees=20, leaves=4, leaf=5))
        train_multilingual(data, out)
        yield out


def test_it_is_a_system_for_any_language_without_tables(ranker):
    assert read_settings(ranker).language == "mul"
    assert read_settings(ranker).ranked == 40


@pytest.mark.usefixtures("ranker")  # and its parts
def test_a_language_is_left_out(data, tmp_path):
    train_multilingual(data, tmp_path / "unseen", without="fr")
    assert read_settings(tmp_path / "unseen").ranked == 20


def test_it_finds_what_it_learnt_to_find_in_a_language_that_it_never_saw(data, ranker):
    test = LanguagePart("Spanish notes", "es", "es/small")
    documents = test.documents(data)
    system = keyseq.load(ranker, language="es", threads=1)
    found = languages.Measured.of(answered(system, documents, "multilingual"), documents, test)
    assert found.ranking.aggregate(METRIC) > 0.15  # one keyphrase among ten phrases has an F1@10 of 0.18
    table = section(test, {"english": found, RANKERS[0]: found, DEFAULT: found})
    assert "| default" in table
    assert "1.0000" in table  # the same phrases differ by nothing
    assert summary({test.title: {DEFAULT: found}}).count("Spanish notes") == 1


def test_the_page_says_where_the_default_is_better_and_where_another_is():
    documents = [Document(id=str(at), body=f"alpha{at} beta{at}", keyphrases=[f"alpha{at}"]) for at in range(30)]
    test = LanguagePart("Notes", "es", "es/small")

    def measured(name):
        phrases = [[Phrase(text=f"{name}{at}", score=1.0, present=True, spans=((0, 5),))] for at in range(30)]
        return languages.Measured.of([Answer(one, one) for one in phrases], documents, test)

    right, wrong = measured("alpha"), measured("beta")
    others = dict.fromkeys((languages.BEFORE, *RANKERS), wrong)
    found = {"Notes": {**others, DEFAULT: right}, "Others": {**others, languages.BEFORE: right, DEFAULT: wrong}}
    told = verdict(found).splitlines()
    assert told[0] == "- **Beside YAKE** the default is better on Notes; not told apart on Others (p = 1.00)."
    assert told[1] == "- **Beside keyseq for English texts** the default is better on Notes; worse on Others."
    assert told[2] == "- **Above the default** stand, on Others: english."


def test_a_ranker_is_asked_once():
    phrases = [keyseq.load("textrank").predict(["Delivery robots share sidewalks."])[0]]
    [answer] = answered(keyseq.load("textrank"), ["Delivery robots share sidewalks."], "textrank")
    assert answer == Answer(phrases[0][:10], phrases[0])
