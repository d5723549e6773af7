"""The stems by which all published numbers were computed, and lemmas."""

from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from keyseq.text import stem as stem_module
from keyseq.text.analyzer import ENGLISH
from keyseq.text.porter import porter_stem
from keyseq.text.stem import LONGEST_WORD, PORTER, stems_by_word, versioned
from keyseq.text.tokenize import words

# where the modes of Porter differ: NLTK's default, its original algorithm, Snowball
# every suffix that a rule of Porter's takes off, and letters that its conditions ask for
SUFFIXES = (
    "s ss ies sses ed eed ied ing at bl iz y ational tional enci anci izer bli alli entli eli ousli ization ation ator"
    " alism iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er"
    " ic able ible ant ement ment ent ion ou ism ate iti ous ive ize e ll"
)
PIECES = [*SUFFIXES.split(), *"aeiouystlzwxbcdq1'é", "sky", "die", "ß"]
TELLING = ["technology", "enjoy", "news", "skies", "as", "dying", "generically", "happily", "<digit>", "c++", "'", "s"]


def test_stems_are_those_of_nltk_in_its_default_mode():
    reference = PorterStemmer()
    assert ENGLISH.stems(TELLING) == [reference.stem(word) for word in TELLING]
    assert stems_by_word(PORTER)["technology"] == "technolog"  # Snowball's Porter says technologi
    assert stems_by_word(PORTER)["news"] == "news"  # the original algorithm says new


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join) | st.text(max_size=12))
def test_any_word_has_the_stem_that_nltk_gives_it(word):
    assert porter_stem(word) == PorterStemmer().stem(word)


def test_a_megabyte_without_a_space_never_reaches_the_slow_stemmer_and_is_not_remembered(monkeypatch):
    stemmed = []
    monkeypatch.setattr(stems_by_word(PORTER), "_stem", lambda word: stemmed.append(word) or word)
    monster = "generalizations" * 70_000
    assert stems_by_word(PORTER)[monster] == monster
    assert stemmed == []
    assert monster not in stems_by_word(PORTER)


def test_the_memo_stays_bounded(monkeypatch):
    monkeypatch.setattr(stem_module, "MEMO_SIZE", 100)
    stems_by_word.cache_clear()
    assert ENGLISH.stems(f"word{number}" for number in range(1000))[-1] == "word999"
    assert len(stems_by_word(PORTER)) <= 100


def test_the_longest_word_is_longer_than_any_of_english():
    assert len("pneumonoultramicroscopicsilicovolcanoconiosis") < LONGEST_WORD


def test_the_stems_of_a_text_are_the_stems_of_its_words():
    text = "Neural networks (NNs), 1998 and 3d\u00a0models: 7 of 1234567890, <digit> naïve words. " + "9" * 80
    for one in (text, text * 5, text.replace("ï", "i") * 5):
        assert ENGLISH.text_stems(one) == ENGLISH.stems(words(one))


@pytest.mark.parametrize(
    ("stemmer", "forms"),
    [
        ("simplemma-fi", ["kieli", "kielen", "kieltä", "Kielissä".casefold()]),  # Snowball has four stems for these
        ("simplemma-fr", ["cheval", "chevaux"]),
        ("simplemma-pl", ["książka", "książki", "książek"]),
    ],
)
def test_lemmas_make_irregular_forms_of_a_word_one(stemmer, forms):
    assert len({stems_by_word(stemmer)[form] for form in forms}) == 1


def test_a_lemma_has_its_case_folded_as_the_words_of_texts_have():
    assert stems_by_word("simplemma-fi")["suomen"] == "suomi"


def test_a_signature_names_the_release_of_the_dictionary():
    assert versioned("simplemma-fi") == f"simplemma-fi-{version('simplemma')}"
