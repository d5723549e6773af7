"""What becomes of a paragraph in each supported language: words, stems, candidates, and no stop word as a keyphrase."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.native import NATIVE

import keyseq
from keyseq.extractive.candidates import CandidateSettings, find_candidates
from keyseq.extractive.reading import Reading
from keyseq.languages import LANGUAGES
from keyseq.systems.combined_settings import CombinedSettings
from keyseq.systems.language_ranker import LanguageRanker
from keyseq.text.analyzer import Analyzer
from keyseq.text.detection import detect
from keyseq.text.korean import parts_of_word
from keyseq.types import Document

DEFAULT = keyseq.load()


class Settings(CandidateSettings):
    system = "any"


def candidates(text, analyzer, **settings):
    reading = Reading(text, analyzer)
    return [reading.surface(*one.places[0]) for one in find_candidates(reading, Settings(max_words=5, **settings))]


def test_there_is_a_paragraph_for_every_language():
    assert set(NATIVE) == set(LANGUAGES)


@pytest.mark.parametrize("code", NATIVE)
def test_the_language_of_a_paragraph_is_detected(code):
    assert detect(NATIVE[code].text).code == code


@pytest.mark.parametrize(("code", "pair"), [(code, pair) for code, one in NATIVE.items() for pair in one.alike])
def test_forms_of_one_word_have_one_stem(code, pair):
    analyzer = Analyzer.for_language(code)
    assert analyzer.text_stems(pair[0]) == analyzer.text_stems(pair[1])


@pytest.mark.parametrize("code", NATIVE)
def test_phrases_of_a_paragraph_are_candidates(code):
    found = candidates(NATIVE[code].text, Analyzer.for_language(code))
    assert not set(NATIVE[code].candidates) - set(found), found


def borders(phrase, analyzer):
    """The units at the ends of a phrase, lower-cased as stop words are, and the phrase itself."""
    units = Reading(phrase, analyzer).units
    return {analyzer.lower(phrase), analyzer.lower(units[0]), analyzer.lower(units[-1])}


@pytest.mark.parametrize("code", NATIVE)
def test_no_stop_word_is_a_phrase_or_stands_at_the_end_of_one(code):
    analyzer, text = Analyzer.for_language(code), NATIVE[code].text
    [ranked] = keyseq.load("textrank", language=code, top=50, max_words=5).predict([text])
    [answered] = LanguageRanker(code, CombinedSettings(top=50)).predict([Document(id="1", body=text)])
    [by_default] = keyseq.load(top=50).predict([text])
    given = [phrase.text for phrases in (ranked, answered, by_default) for phrase in phrases if phrase.present]
    labels = {analyzer.lower(phrase.text) for phrase in by_default if not phrase.present}  # as people wrote them
    assert not labels & analyzer.stop_words
    given += [one for kind in ("runs", "ngrams") for one in candidates(text, analyzer, candidates=kind)]
    assert len(given) > 5
    assert not {phrase for phrase in given if borders(phrase, analyzer) & analyzer.stop_words}


@st.composite
def stop_word_texts(draw):
    """A language, and a text of its stop words and of the words of its paragraph, in any order."""
    code = draw(st.sampled_from(sorted(NATIVE)))
    analyzer = Analyzer.for_language(code)
    words = [token.text for token in analyzer.tokenize(NATIVE[code].text)]
    either = st.one_of(st.sampled_from(sorted(analyzer.stop_words)), st.sampled_from(words))
    written = st.tuples(either, st.sampled_from((str, str.capitalize, str.upper)))
    chosen = draw(st.lists(written, min_size=1, max_size=25))
    return code, draw(st.sampled_from((" ", " ", ", "))).join(write(word) for word, write in chosen)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(stop_word_texts())
def test_no_stop_word_is_ever_a_keyphrase(language_and_text):
    code, text = language_and_text
    analyzer = Analyzer.for_language(code)
    [answered] = LanguageRanker(code, CombinedSettings(top=50)).predict([text])
    [by_default] = DEFAULT.with_settings(language=code, top=50).predict([text])
    given = (*answered, *by_default)
    alone = [phrase for phrase in given if analyzer.lower(phrase.text) in analyzer.stop_words]
    assert all(phrase.text.isupper() for phrase in alone)  # "IT" is an acronym,
    assert all(text[start:end].isupper() for phrase in alone for start, end in phrase.spans)  # and "it" is none
    of_text = {one.text for one in given if one.present and one not in alone and not one.evidence.keyphrase_of}
    assert not {phrase for phrase in of_text if borders(phrase, analyzer) & analyzer.stop_words}


@pytest.mark.parametrize(
    ("code", "text", "words"),
    [
        ("fr", "l’État d'information", ["l", "état", "d", "information"]),
        ("fr", "Jusqu'à aujourd'hui", ["jusqu", "à", "aujourd", "'", "hui"]),
        ("it", "dell'acqua, un po'", ["dell", "acqua", ",", "un", "po", "'"]),
        ("de", "Straßenbahn O'Brien", ["strassenbahn", "o", "'", "brien"]),
        ("tr", "Türkiye'nin IŞIĞI", ["türkiye", "nin", "ışığı"]),
        ("ko", "AI로 모델을", ["ai", "로", "모델", "을"]),
        ("zh", "深度学习BERT", ["深度", "学习", "bert"]),
        ("ja", "機械学習は", ["機械", "学習", "は"]),
        ("ja", "ドローンで撮影", ["ドローン", "で", "撮影"]),  # which the dictionary lacks
    ],
)
def test_words_by_the_tokenizer_of_a_language(code, text, words):
    analyzer = Analyzer.for_language(code)
    assert analyzer.words(text) == words
    assert all(text[token.start : token.end] == token.text for token in analyzer.tokenize(text))


def test_phrases_go_across_an_elided_article_and_a_name_with_an_ending():
    assert "système d'information" in candidates(NATIVE["fr"].text, Analyzer.for_language("fr"), candidates="ngrams")
    turkish = candidates("Türkiye'nin ekonomisi büyüyor.", Analyzer.for_language("tr"), candidates="ngrams")
    assert "Türkiye'nin ekonomisi" in turkish
    assert "nin" not in turkish


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("모델을", [("모델", True), ("을", False)]),
        ("연구에서는", [("연구", True), ("에서는", False)]),
        ("연구자들이", [("연구자", True), ("들이", False)]),
        ("서울로", [("서울", True), ("로", False)]),  # after ㄹ as after a vowel
        ("국가", [("국가", True)]),  # one syllable would be left
        ("전문가", [("전문가", True)]),  # 가 does not follow a consonant
        ("어린이", [("어린이", True)]),
        ("평가하였다", [("평가하였다", False)]),  # a verb
        ("효과적인", [("효과적인", False)]),
    ],
)
def test_korean_particles_are_cut_off_where_they_can_stand(word, parts):
    assert parts_of_word(word) == parts


def test_accents_that_are_apart_from_their_letters_hide_no_stop_word():
    assert candidates("e\u0301te\u0301 e\u0301tait", Analyzer.for_language("fr")) == []


def test_arabic_vowel_signs_hide_no_stop_word():
    analyzer = Analyzer.for_language("ar")
    assert analyzer.lower("هٰذَا") in analyzer.stop_words


def test_without_its_dictionary_each_character_is_a_word(monkeypatch):
    monkeypatch.setattr("keyseq.languages._is_installed", lambda package: not package)
    assert Analyzer.for_language("zh").tokenizer == "unicode"
    [found] = keyseq.load("textrank", language="zh").predict(["神经网络模型。神经网络应用。"])
    assert [phrase.text for phrase in found] == ["神经网络"]


def test_in_german_a_phrase_ends_with_a_word_that_has_a_capital():
    """Verbs and adverbs between stop words are candidates in other languages, where nothing tells them from nouns."""
    text = "Der Netzbetreiber entscheidet rasch über gedämmte Wärmespeicher. Die Wärmespeicher bleiben billig."
    found = candidates(text, Analyzer.for_language("de"))
    assert found == ["Netzbetreiber", "gedämmte Wärmespeicher", "Wärmespeicher"]
    [phrases] = keyseq.load(language="de", top=20).predict([text])
    assert all(phrase.text.split()[-1][0].isupper() for phrase in phrases)
    assert {"Netzbetreiber", "Wärmespeicher"} <= {phrase.text for phrase in phrases}


def test_a_german_text_without_capitals_keeps_its_candidates():
    assert candidates("der bau von wärmespeichern", Analyzer.for_language("de")) == ["bau", "wärmespeichern"]
