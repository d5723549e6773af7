"""Units are whole words, in line with the tokenizer's, each with a class."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keyseq.extractive.reading import BREAK, CHARACTER, NOUN, OTHER, Reading

ENGLISH = "In this text, which is written in English so that it is known, we see "


def units(text):
    reading = Reading(ENGLISH + text)
    return reading.units[len(Reading(ENGLISH.strip()).units) :]


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("real-time systems", ["real-time", "systems"], "a hyphen joins"),
        ("real - time", ["real", "-", "time"], "a dash does not"),
        ("input/output", ["input", "/", "output"], "a slash parts"),
        ("the user's guide", ["the", "user", "'s", "guide"], "a possessive is no part of the word"),
        ("the user’s guide", ["the", "user", "’s", "guide"], "nor with a curly apostrophe"),
        ("O'Brien", ["O'Brien"], "a name is not cut"),
        ("l'analyse", ["l", "'", "analyse"], "an elided article is"),
        ("node.js and C++", ["node.js", "and", "C++"], "names of software are not cut"),
        ("end.The next", ["end", ".", "The", "next"], "a missing space is no part of a word"),
        ("<digit> items", ["<digit>", "items"], "a number that was replaced already"),
        ("done. Next", ["done", ".", "Next"], "a sentence ends"),
        ("schöne Straßen", ["schöne", "Straßen"], "accents belong to words"),
        ("深度", ["深", "度"], "a script without spaces is read by characters"),
    ],
)
def test_words_are_never_cut(text, expected, reason):
    assert units(text) == expected, reason


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("We propose new neural networks.", "xxxAN|", "vague modifiers are no part of a phrase"),
        ("It uses data structures and data mining", "xxNNxNN", "data is a singular, so that no verb follows"),
        ("Learning Social Navigation", "GAN", "capitals of a title make no names"),
        ("They don't", "xx", "a contraction is no noun"),
        ("networks: graphs; trees", "N|N|N", "marks break phrases"),
        ("graphs (trees)", "N|N|", "and so do brackets"),
    ],
)
def test_classes(text, expected, reason):
    assert Reading(text).classes == expected, reason


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("Les réseaux de neurones pour l'analyse d'images dans cette étude", "réseaux neurones analyse images étude"),
        ("Wir untersuchen die Verschlagwortung durch neuronale Netze", "untersuchen Verschlagwortung neuronale Netze"),
        ("La clasificación automática de los textos científicos", "clasificación automática textos científicos"),
    ],
)
def test_without_a_tagger_all_but_function_words_may_be_part_of_a_phrase(text, nouns):
    reading = Reading(text)
    found = [unit for unit, letter in zip(reading.units, reading.classes, strict=True) if letter == NOUN]
    assert found == nouns.split()


def test_scripts_without_spaces_have_a_class_of_their_own():
    assert Reading("神经网络。").classes == CHARACTER * 4 + BREAK


def test_what_is_too_long_for_a_word_is_no_part_of_a_phrase():
    assert Reading("the " + "x" * 65).classes == OTHER * 2


TEXTS = st.text(alphabet=st.sampled_from("ab1Zé漢-’'.,<>_ \n\t(/#&+*\u0301\ud800\x00\u200f"), max_size=60)


@settings(max_examples=300, deadline=None)
@given(TEXTS | st.text(max_size=60))
def test_units_and_words_of_any_text_fall_together(text):
    reading = Reading(text)
    tokens = reading.source.tokens
    assert len(reading.classes) == len(reading.units) == len(reading.starts) - 1
    assert reading.starts == sorted(reading.starts)
    assert reading.starts[-1] == len(tokens)
    for at, unit in enumerate(reading.units):
        words = tokens[reading.starts[at] : reading.starts[at + 1]]
        assert all(word.text in unit for word in words)  # no word lies across two units
        if reading.classes[at] not in (BREAK, OTHER):
            assert words[0].start + len(unit) == words[-1].end  # a unit of a phrase is all words
