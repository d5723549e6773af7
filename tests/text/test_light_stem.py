"""Light stems: forms of one word are the same, and different words are not."""

import pytest

from keyseq.text.analyzer import ENGLISH, Analyzer
from keyseq.text.light_stem import light_stem

SAME = """
community communities
network networks
analysis analyses
box boxes
bus buses
gas gases
class classes
cache caches
house houses
database databases
base bases
process processes
bias biases
lens lenses
hero heroes
shoe shoes
potato potatoes
branch branches
archive archives
leaf leaves
wolf wolves
life lives
woman women
fisherman fishermen
specimen specimens
dose doses
child children
matrix matrices
index indices indexes
criterion criteria
fungus fungi
larva larvae
movie movies
tie ties
city cities
area areas
schema schemata
topic topics
virus viruses
optimisation optimization optimisations
organise organize
colour color colours
behavioural behavioral
neighbourhood neighborhoods
centre center centres
"""
DIFFERENT = """
community communication communal commune
transformed transformers transformation
universe university universal
organ organization organic
policy police
general generation generative
new news
economic economics
genetic genetics
logistic logistics
mean meaning
operate operating operation
four for
morning mourning
good goods
custom customs
base basis
dos dose
vase vast
"""


@pytest.mark.parametrize("words", SAME.strip().splitlines())
def test_forms_of_one_word_have_one_stem(words):
    assert len({light_stem(word) for word in words.split()}) == 1, [light_stem(word) for word in words.split()]


@pytest.mark.parametrize("words", DIFFERENT.strip().splitlines())
def test_different_words_have_different_stems(words):
    stems = [light_stem(word) for word in words.split()]
    assert len(set(stems)) == len(stems), stems


@pytest.mark.parametrize("word", ["his", "was", "dna", "gps", "c++", "s", "", "is", "always", "diabetes", "x1s"])
def test_words_that_are_no_plurals_stay(word):
    assert light_stem(word) == word


def test_english_has_a_light_stemmer_and_other_languages_keep_theirs():
    assert ENGLISH.light.text_stems("Communities, communication") == ["community", ",", "communication"]
    german = Analyzer.for_language("de")
    assert german.light == german
