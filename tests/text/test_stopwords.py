"""The lists of stop words, and their corrections: nouns that stand on a list because they are frequent."""

import pytest
import stopwordsiso
from tests.text.test_native_languages import candidates

from keyseq.extractive.reading import Reading
from keyseq.languages import LANGUAGES
from keyseq.ranking.runs import Tokens, find_runs
from keyseq.text.analyzer import Analyzer
from keyseq.text.stopwords import corrections, generic_nouns, verbs


@pytest.mark.parametrize("code", corrections("less"))
def test_words_taken_off_a_list_were_on_it_and_are_not_added_again(code):
    listed = {word.lower() for word in stopwordsiso.stopwords(code)}
    assert corrections("less")[code] <= listed
    assert not corrections("less")[code] & Analyzer.for_language(code).stop_words
    assert len(corrections("less")[code]) < len(listed) / 8


def test_corrections_are_of_supported_languages():
    assert {*corrections("less"), *corrections("more")} <= LANGUAGES.keys()


@pytest.mark.parametrize(
    ("code", "text", "phrases"),
    [
        ("ru", "Россия и Москва: деньги и война.", {"Россия", "Москва", "война"}),
        ("ru", "Об этом сообщил Белый дом.", {"Белый дом"}),
        ("fr", "Le langage naturel des personnes âgées.", {"langage naturel", "personnes âgées"}),
        ("es", "La ley del medio ambiente y el empleo.", {"medio ambiente", "empleo"}),
        ("de", "Der Mensch und das Recht.", {"Mensch", "Recht"}),
        ("it", "Gli anziani e la città.", {"anziani", "città"}),
        ("pt", "O sistema nervoso e o meio ambiente.", {"sistema nervoso", "meio ambiente"}),
    ],
)
def test_a_noun_that_the_package_lists_can_be_a_phrase(code, text, phrases):
    assert not phrases - set(candidates(text, Analyzer.for_language(code)))


def runs(text, code):
    """The words of a text's runs, as the rankers that learnt see them."""
    reading = Reading(text, Analyzer.for_language(code))
    found = find_runs(Tokens.of(reading, ""))
    ends = found.first + found.lengths
    words = reading.source.tokens
    return {
        text[words[first].start : words[end - 1].end]
        for first, end in zip(found.first.tolist(), ends.tolist(), strict=True)
    }


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_generic_nouns_are_small_words_that_are_no_stop_words(code):
    assert all(word == Analyzer.for_language(code).lower(word) for word in generic_nouns(code))
    assert not generic_nouns(code) & Analyzer.for_language(code).stop_words


@pytest.mark.parametrize(
    ("code", "text", "given", "not_given"),
    [
        (
            "de",
            "In Folge der Dürre steigt der Einfluss der Borkenkäfer.",
            {"Dürre", "Borkenkäfer"},
            {"Folge", "Einfluss"},
        ),
        ("es", "El estudio de los efectos del salario mínimo.", {"salario mínimo"}, {"estudio", "efectos"}),
        ("nl", "De invloed van de schermtijd in dit onderzoek.", {"schermtijd"}, {"invloed", "onderzoek"}),
        ("pl", "Celem badania był smog w miastach.", {"smog", "miastach"}, {"Celem", "badania", "Celem badania"}),
        ("hi", "भूजल का स्तर और खेती के परिणाम", {"भूजल", "खेती"}, {"स्तर", "परिणाम"}),
        ("ko", "본 연구의 결과와 교통사고의 효과", {"교통사고"}, {"연구", "결과", "효과"}),
        ("de", "Der Effekt der Nutzung von Wärme: Effekt Wärme", {"Wärme", "Effekt Wärme"}, {"Effekt"}),
    ],
)
def test_a_generic_noun_alone_or_with_others_is_no_phrase(code, text, given, not_given):
    assert given <= runs(text, code)
    assert not runs(text, code) & not_given


@pytest.mark.parametrize(
    ("code", "verb", "others"),
    [
        ("es", "aprobaron", ["barón", "salón", "canon"]),
        ("pl", "przeanalizowano", ["kolano", "choroby"]),
        ("ru", "увеличилась", ["кровать", "ласка"]),
        ("tr", "oluşturmaktadır", ["çamaşır", "mektep"]),
        ("cs", "analyzovaly", ["ovály", "skály"]),
        ("pt", "reduziram", ["programa", "museu"]),
    ],
)
def test_a_verb_is_known_by_an_ending_that_only_verbs_have(code, verb, others):
    assert verbs(code).fullmatch(verb)
    assert not [word for word in others if verbs(code).fullmatch(word)]
    assert verb not in runs(f"{others[0]} {verb} {others[0]}", code)


def test_a_name_with_such_an_ending_is_no_verb():
    assert "Padró" in runs("el Padró", "es")


def test_a_german_phrase_never_ends_with_an_adjective():
    found = runs("Mehrsprachige Kinder lernen. Die mehrsprachigen Kinder lesen.", "de")
    assert {"Kinder", "Mehrsprachige Kinder"} <= found
    assert "mehrsprachigen" not in found
