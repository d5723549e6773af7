"""The lists of stop words, and their corrections: nouns that stand on a list because they are frequent."""

import pytest
import stopwordsiso
from tests.text.test_native_languages import candidates

from keyseq.languages import LANGUAGES
from keyseq.text.analyzer import Analyzer
from keyseq.text.stopwords import corrections


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
