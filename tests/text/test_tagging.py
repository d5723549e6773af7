"""Tags are those of textblob, in a small part of its time."""

import random

import pytest

from keyseq.text.tagging import ContextRules, english

SENTENCES = [
    "The quick brown foxes were running over the lazily sleeping dogs .",
    "We propose a novel method to learn graph embeddings , which outperforms the others by 12.5 % .",
    "She did n't want to help us because the New York-based company 's earnings had ended lower .",
    "Is this the first such algorithm that can be used as well as adapted ?",
    "Quantum chromodynamics , superconductivity and cryomicroscopy ( unGoogleable ) are 2nd-order phenomena .",
    "He said that most of the sales plans have been increased further just as the market closed .",
]
ENDS = ["s", "ed", "ing", "ly", "al", "ble", "ic", "ive", "ness", "ism", "ize", "ous", "tion", "-based", "'s", "7"]


def made_up(seed):
    """Sentences of real words in any order, and of words that no lexicon has."""
    draw = random.Random(seed)
    known = " ".join(SENTENCES).split()
    for _ in range(60):
        new = ["".join(draw.choices("aeioubcdlmnrst", k=5)) + draw.choice(ENDS) for _ in range(6)]
        new += [word.capitalize() for word in new[:2]]
        yield draw.sample(known + new, 25)


def textblob_tags(words):
    from textblob._text import find_tags
    from textblob.en import lexicon

    lexicon["data"] = "NN"  # the one word that we tag otherwise
    found = find_tags(words, lexicon=lexicon, morphology=lexicon.morphology, context=lexicon.context)
    return [tag for _, tag in found]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences_have_the_tags_of_textblob(sentence):
    assert english().tag(sentence.split()) == textblob_tags(sentence.split())


def test_words_in_any_order_have_the_tags_of_textblob():
    for words in made_up(seed=5):
        assert english().tag(words) == textblob_tags(words), words


def test_nothing_has_no_tags():
    assert english().tag([]) == []


@pytest.mark.parametrize(
    ("rules", "words", "tags", "expected"),
    [
        (["A B PREVTAG X"], "p q", "X A", "X B"),
        (["A B PREVTAG X"], "p q", "A X", "A X"),  # the other way round
        (["A B PREV1OR2TAG X"], "p q r", "X Y A", "X Y B"),
        (["A B PREV1OR2OR3TAG X"], "p q r s", "X Y Y A", "X Y Y B"),
        (["A B SURROUNDTAG STAART Y"], "p q", "A Y", "B Y"),  # the edge of the sentence is a tag
        (["A B WDNEXTTAG p Y", "A C CURWD p"], "p q", "A Y", "C Y"),  # of two that fire the last counts
        (["A B CURWD p", "B C CURWD p"], "p", "A", "B"),  # rules see the tag before all rules
        (["A B PREVTAG A"], "p q r", "A A A", "A B A"),  # but to the left the tags after them
        (["* B RBIGRAM such as"], "such as", "A C", "B C"),  # any tag
        (["* B CURWD p"], "p", "UNSEEN", "B"),  # even one that no rule names
    ],
)
def test_contextual_rules_by_hand(rules, words, tags, expected):
    assert ContextRules(rules).apply(words.split(), tags.split()) == expected.split()


def test_a_word_that_is_none_is_not_kept():
    tagger = english()
    assert tagger.tag(["q" * 1_000_000]) == ["NN"]
    assert not any(len(unknown.text) > 100 for unknown in tagger._memo)


@pytest.mark.parametrize(
    ("word", "known"), [("network", True), ("Networks", True), ("les", False), ("Verschlagwortung", False)]
)
def test_borrowed_words_are_not_taken_for_english(word, known):
    assert english().knows(word) is known
